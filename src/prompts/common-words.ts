// Common English words that are one token (o200k).
/**
 * Words that are frequent in texts about software, in plans and in our own texts, and that are one token of o200k: in lower case and
 * capitalised, with and without a blank before them.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `
aa ab ability able abort about above absolute abstract ac acc accept accepted access accessible
account accounts act action actions activate activation active activity actual actually ad adapter
adaptive add added adding addition additional addr address addresses adds adjust admin advanced ae
af after again against age agent agents aggregate ago ai air album alert alerts alex algorithm alias
align alignment all allocation allow allowed allows along alpha already also alt alter alternate
alternative always among amount an analysis anchor and animated animation annotation another answer
answers anti any apache apart api app append apple application applications apply approval approved
apps architecture archive are area areas arg args argument arguments around arr array arrays
artifact artist as ask asked assert asset assets assign assigned assignment assistant associated ast
async at atlas atomic attach attached attack attempt attention audio audit auth authenticate
authentication author authorization authors auto automatic automation availability available avatar
avoid await away aws ba bab back backend background backup bad badge balance bar bare base based
basic basis batch bb bd be beat because been before begin behavior behind being below bench
benchmark best beta better between bg big bin binary bind binding birth bit bits black blank blind
blob block blocking blocks blog blogs blue board body bold bool boolean boost boot bootstrap border
both bottom bound boundary bounding bounds box boxes br branch brand break breaking bridge brief
broadcast broken browse browser budget buf buffer bug build builder building built bulk bullet
bundle business busy but button buttons by ca cab cache cached calendar call callback called caller
calling calls can cancel cannot cap capital capture card cards care carry case cases cast cat
catalog catch categories category cause cd ce center central certain cf ch chain change changed
changes changing character characters charge charset chart charts chat check checkbox checked
checker checking checkout checks child children chip choice choose chrome chunk ci claim claims
class classes clean cleanup clear cli click client clients clock clone close closed closing cmd co
code codes coding collapse collect collection colon color colored colors column columns com combined
come command commands comment comments commercial commit common community compact company compare
comparison compatible compile complete completed completion complex component components compose
composer composition compress compression compute concept condition conditional conditions conduct
conf confidence config configuration configure confirm confirmation connect connected connection
connections consider console const constant constants constraint constraints construct construction
constructor consume contact container containers contains content contents context continue contract
contracts control controlled controllers controls conversation conversion convert converted cookie
cookies copy copyright core correct cost could count counter counts cover coverage covered create
created creates creating creation credential credentials credits criteria critical cross crypto css
csv ctrl curl currency current currently cursor custom cut cycle da dad daily dark dash dashboard
data database date dates day days db dc de dead deadline deal deb debug dec decimal decision declare
decode deep def default defaults define defined defines definition definitions delay delegate delete
deleted deliver delivery demo dense dep depend dependencies dependency depending depends deploy
deployment deprecated depth derived description design desired destination destroy detail details
detect dev develop developer development device devices dialog dict did dies diff different digit
dim dir direct direction directive directory disable disabled discover discussion disk dispatch
display dist distribution div do doc docker docs document documentation documents does doing dom
domain don done dot double down download downloads draft drag drawer drive driver drop dropdown
drops dt dual due duplicate duration during dw dy dynamic ea each early eb ec echo ed edge edit
editable edited editing edition editor ee ef effect effects eg either electron element elements else
em email embed emit emotion empty en enable enabled encode encoding end ending endpoint ends energy
engine engineering english ensure enter entities entity entries entry enum env environment equal
equals err error errors es especially estimate estimated eval evaluation even event events ever
every everything ex exact example examples excel except exception exceptions exec execute execution
executor exist existing exists exit expand expanded expect expected experience experimental explicit
expo export express expression ext extend extended extension extensions external extra extract fa
fac face fact factory facts fade fail failed failure fake fall falls false family fans far fast
fatal fault favor fb fc fe feature features fed fee feed feedback feel fetch few field fields file
files fill filled filter filters final finally finance find finding fine finish finished fire first
fit five fix fixed fixture fixtures flag flags flash flat flex flight float floating floor flow
flutter fn focus folder follow following font footer for force forced foreign form format formats
formatter forms forward found foundation four fr frame framework free fresh friendly from front fs
full fully function functional functions future gap gate gateway gen general generate generated
generation generator generic genre genres geometry get gets getting gh gif git github give given
glob global globals go goal going gold good google got grant graph gray great greater green grey
grid group groups grow growth guard guess guide had half hand handle handler handles handling hands
happy hard hardware has hash have having head header headers heading heads health healthy heart
heavy height held hello help helper helpers here hex hi hidden hide high higher highest highlight
hint history hit hits hold holder home hook hooks host hosting hosts hot hour hours hover how html
http human icon id idea ideal ideas identifier identify identity idle ie if ignore ik im image
images img immutable impact impl implement implementation import important imports in inc include
included includes including incoming incorrect increase index indicator individual infer info
information init initial initialize initialized inject inline input inputs insert inside inspect
inspection install installation installed instance instances instead instructions int integer
integration intent interaction interactive interface interfaces internal internet interval into
intro invalid inventory io ip is iso issue issues it item items its ja job jobs join joined jon js
json just keep keeping key keyboard keys keyword keywords kill kind kit know known kr lab label
labels land landing lang language large last late later latest launch layer layers layout lazy le
lead leading leaf learn lease least leave left legacy legend length less let lets letters level
levels li lib library light like limit limited limits line linear lines link linked links linux list
listed listen listener listing lists lite literal live ll load loaded loader loading loads local
locale location locations lock log logged logger logging logic logical login logo logout logs long
look looking looks lookup loop loss lost lot lots low lower lt machine made magic main major make
makes making manage management manager mandatory manual many map mapping maps mark markdown marker
marks master match matcher matches matching math matrix matter max maximum may mb md me mean meaning
means measure median medium member members membership memory menu merge mesh message messages met
meta metadata method methods metric metrics mid middleware migration million min mind minimal
minimum minor minute minutes mirror missing mission mit mix mixed mobile mock mod modal mode model
models modern modified modifier modify module modules moment month monthly more most mostly motion
mount mounted mouse move movement moves moving mp ms msg much multi multipart multiple music must
mutable mutation my name named names nan native navbar navigate navigation nd near necessary need
needed needs negative nest nested net network never new news next ni nice night nil no node non none
nor normal normally not note notes nothing notice notification notifications notify now ns nt null
nullable number numbers numeric obj object objective objects observable of off offer offers official
offline offset oh ok ol old older on once one only op open opening operation operations operator opt
optimization option optional options or oracle orange order ordered ordering org organisation
organization orientation origin original other others otherwise our out outer output outputs outside
over overall overflow overlay override overview own owner ownership pack package packages page pages
pagination pain pair palette panel parallel param parameter parameters params parent parents parse
parsed parser part partial parts party pass passed passing password past patch path paths pattern
patterns pause payload payment pdf peer pending people per percent perf perform performance perhaps
permission permissions permit persist persistent person personal persons phase php pi pick picker
picture piece pieces pin pipeline pl place placeholder places plain plan planning plans platform
play player playlist plug plugin plugins plus point pointer points polar policy pool popular
population port portal ports position positions positive possible post posts potential power pr pre
precision prefer preferences preferred prefix prepared presence present presentation press prevent
preview previous price primary print printed printing prior priority private pro probably probe
problem procedure process processing processor produce product production products professional
profile profiles program progress project projection projects promise promotion prompt proof prop
proper properties property props protect protected proto protocol provide provided provider
providers pt pub public publication publish published pull purchase pure purpose push put px py
python quality que queries query question questions queue quick quiet quiz quote race raise raises
ran random range ranking rapid rate rather raw rd re reach react read reader reading reads ready
real really reason receive received recent recommend recommended record records red redirect redis
reduce ref refer reference references reflect refresh regex register registered registration
registry reject rel related relations relative release released reload remaining remark remember
remote remove removed render renderer repair repeat replace replacement reply repo report reports
repository represent representation req request requested requests require required requirements
requires res research reserved reset resize resolution resolve resolver resource resources resp
respect respond response responses responsive rest restart restore result results resume retrieve
retry return returned returns review revision rewrite rich right rights risk role roles roll room
root roots round rounded route router routes routing row rows rs ru rule rules run runner running
runs runtime rust safe same sample samples save saved saving say scale scan scenario schedule
scheduled scheduler schema scope score screen screens script scripts scroll search season sec second
seconds section sections secure security see seed seen segment select selected selection selector
self sell semantic semi send sending sense sent separator seq sequence serialization serialized
server servers service services session sessions set sets setting settings setup severity sh shape
share shared shares sharing shell shift shim ships shop short shortcut should show shows si side
sidebar sign signal signals signature signed silent similar simple simulation since single site
sites size skill skills skip slice slot slots slow small smart smooth snapshot so social socket soft
software solution some something song sort sorted sorting source sources space span spawn spec
special specific speed spell spinner split spotify spread spring sql square src st stable stack
stage stand standard standing stars start started starting starts startup stat state statement
states static statistics stats status stay std step steps sticky still stop storage store stored
stores stories story str straight strategy stream streams stretch strict string strings strip strong
struct structure structured stub style styles sub subject submission submit subscription success
successful such suggest suite sum summary sun sup super support supported supports sure surface svg
swap switch symbol symbols sync syntax system systems tab table tables tabs tag tags take taken
taking tap target targets task tasks tc td team tech technical tell temp template templates
temporary ten term terminal terms test testing tests text th than thank thanks that the their them
theme themes then there these they thin thing things think third this those thread threads three
threshold through throw throws thus tick tie tier tile time timeline timeout timer times timestamp
tiny tips title titles tmp to toast today todo todos toggle token tokens too tool toolbar tools
tooltip top topic topics total touch tr track tracking tracks traffic trait transaction transactions
transfer transform translation transparent transport tree trees trend trigger trim trip true trust
trusted truth try trying ts tuple turn tutorial twitter two txt type typed types typically ui uint
uk un undefined under undo unicode uniform union unique unit units unix unknown unless until up
update updated updates upgrade upload upon upper uri url us usage use used user username users uses
using usually utf util utilities utility utils val valid validate validation value values var
variable variables variant vars vault ve vector verb verification verified verify version versions
vertical very vet via vice video videos view viewer views virtual visibility visible visit visitor
visual void volume vs wait waiting walk walking want warm warn warning was watch wave way ways we
web week weekly weight well were what whatever when where whether which while who whole why widget
widgets width wild will win window windows wins winter wire wish with within without wizard won word
words work worked worker workers workflow working works workspace world would wrap wrapped wrapper
write writer writes writing written wrong ws xml year years yellow yes yet yield you your youtube za
zero zh zip zone zones
`
    .trim()
    .split(/\s+/),
)
