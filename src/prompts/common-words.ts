// The tokens (o200k) of a common English word, a blank before it included.
/**
 * Words that a text about software is likely to have: those in most of 280 READMEs that are one token of o200k, in
 * lower case and with a capital, with and without a blank before. With an ending of `ENDINGS` they are two at most.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `
aa ab ability able abort about abstract ac acc accept accepted access accessible account action
actions activate active actual actually ad adapter add added adding addition additional addr
address addresses adds adjust admin ae af after again against age agent agents ai alert alias
align alignment all allocation allow allowed allows along alt alter alternate alternative always
among amount an anchor and animation annotation another answer answers any apache apart api app
append apple application apply approval approved apps architecture are area arg args argument
arguments around arr array arrays artifact as ask asked assert assets assign assignment assistant
associated at atlas atomic attach attached attack attempt attention audit auth author
authorization authors auto automatic availability avoid await away ba bab back backend background
backup bad bar bare base based basic basis batch bb bd be been begin behind being below bench
benchmark best beta better bg big bin binary bind bit bits black blank blind blob block blocking
blocks blog blogs blue board bold boost border both bottom bound boundary bounds box boxes br
brand break breaking brief broadcast budget buf buffer bug build builder building bullet bundle
business busy but button buttons by ca cab cache cached call callback called caller calling calls
can cap capture card care carry case cases catalog catch category cd ce center certain cf ch chain
change changed changes changing character charge charset chart charts chat check checkbox checked
checker checking checkout checks child children chrome chunk ci claim claims class classes clean
cleanup clear cli click client clients clock close closed closing cmd co codes coding collect
collection colon color colored colors columns com combined come command commands comment comments
commercial commit common community compact company compare comparison compatible compile complex
component compress compression compute concept condition conditional conduct conf config
configuration configure confirm confirmation connect connected connection consider const constant
constants constraint construct construction constructor contact container content contents context
continue contract contracts controlled controls conversation conversion convert converted copy
copyright core correct cost could count counter counts cover covered create created creating
creation credential credits critical cross crypto css curl current currently custom cut cycle da
dad dark dash dashboard date dates day db dc de dead deal deb debug dec decision declare deep def
default defaults define defined defines definition delay delegate deliver delivery demo dep depend
depending depends deploy deployment deprecated depth derived description design desired
destination detail details detect dev develop developer development dialog did dies diff digit dim
dir direct direction directive directory disable disabled discover discussion disk dispatch
display dist distribution div do doc docker docs document documentation documents does doing
domain don done dot double down download downloads draft drive driver drop dropdown drops dt due
duration during dw dy dynamic ea each early eb ec ed edit editable edited editing edition editor
ee ef effect effects eg electron element elements else em embed emit en enable enabled encoding
end ending endpoint ends engine engineering english ensure enter entity entry enum env environment
equal equals err error errors es especially estimated eval evaluation even event events ever every
everything ex exact example examples except exception execute execution executor exist existing
exists exit expand expanded expect expected experimental expo export express expression ext extend
extended extension extra extract fa fac fact factory facts fail failed failure fall falls family
far fast fatal favor fb fc fe feature fed fee feed feedback feel fetch few field fields file files
fill filled filter filters final finally find finding fine finish finished fire first fit five fix
fixed fixture flag flags flat flight float floating flow fn folder follow following font footer
for form format formats formatter forms forward found foundation four fr framework free friendly
from front fs full fully function functional functions future gap gate gateway gen general
generate generated generation generic get gets getting gh gif git github give glob global globals
go goal going gold good got grant gray great greater green grey group groups grow guard guess
guide had half hand handle handler handles handling hands hard hardware has hash having head
header headers heading heads heart height hello help helper helpers here hex hi high higher
highest highlight hint history hit hits hold holder home hook hooks host hosting hosts hot hour
hours how http human icon id idea ideal ideas identifier identity idle ie if ik im image images
img impact impl implement implementation import important imports in inc incoming incorrect index
infer information init initial inject input inputs insert inspect inspection install installation
installed instructions int integer integration intent interaction internal internet interval into
intro invalid inventory io ip is iso it item items its ja join joined jon js json just keep
keeping key keys keyword keywords kill kind kit know known kr lab label labels land lang last late
later latest launch layer layers layout le lead leading learn least left legend less let lets
letters levels li lib library light like limit limited limits line linear lines link linked links
linux list listed listen listener listing lists lite literal live ll load loaded loader loading
loads local locale location locations lock log logged logger logging logic login logo logs long
look looking looks lookup loop loss lost lot lots low lower lt machine made magic main major make
makes making management manager mandatory manual many map mapping maps mark markdown marker marks
master match matcher matches matching math matrix matter max maximum may mb md me mean meaning
means median medium member members memory menu met meta method methods metrics mid middleware
migration million min mind minimum minor mirror missing mit mix mixed mobile mock mod modal mode
model models modern modified modifier module moment month monthly more most mostly mount mounted
move moves mp ms msg much multi multipart multiple must mutable mutation my name named names nan
native nd necessary need needed needs negative nest nested net network never new next ni nice no
non none nor normal normally not note notes notification now ns nt nullable number numbers numeric
obj object objective objects observable of off offer offers official offset oh ok ol old older on
one only op open opening operation opt optimization option optional options or oracle order
ordered ordering org organisation organization origin original other others our out outer output
outputs over overall overflow overview own owner ownership pack page pages pagination pain pair
panel param parameter params parent parents parse parsed parser part partial parts party pass
passed passing password past patch path paths pattern patterns payload pdf peer pending people per
percent perf perform permission permit persist person persons php pi pick picker picture pieces
pin pl place placeholder places plain plan plans platform play plug plugin plugins plus point
pointer points polar port ports position positions possible post potential power pr pre precision
prefer preferred prefix prepared present presentation press prevent preview previous primary print
printed printing prior priority private pro probably probe problem procedure process processor
product production products professional profile program progress project projection projects
prompt proof prop proper property props protect protected proto provide provided provider
providers pt public publication publish published pull pure push put px py quality que query
question questions quick quiet ran random ranking rate rather raw rd re reach react read reader
reading reads ready real really reason receive received recent recommended record records red
redirect ref refer reflect regex register registration registry reject rel related relative
released remark remember removed render renderer replacement reply repo report reports repository
represent representation req request requested requests require required res research reserved
reset resolution resolver respect respond response responses rest restart restore result results
retry return returned returns review revision rich right rights risk role roll room root roots
round rounded router row rows rs ru rule run runner runs rust same sample samples save saved say
scan schedule score screen script scripts scroll search sec second seconds section sections secure
security see seed seen segment select selected selection selector self sell send sending sense
sent serialization serialized server servers session sessions set sets setting settings setup sh
share shared shift shim ships short shortcut should show shows si side sign signal signals
signature signed silent simple single site sites skill skills skip slot slots slow small smart
snapshot so socket soft software solution some sort sorted sorting span spawn spec special
specific speed spell split spread sql square src st stable stack stand standard stars start
started starting starts stat state statement states static stats status stay std step steps still
stop store stored stores story str straight strategy stream streams strict string strings strip
strong struct structure structured style styles sub subject submission subscription success such
summary sun sup super support supported supports sure svg swap switch symbols sync syntax system
systems tab table tables tabs tag tags take taken taking tap target targets task tasks tc td team
tech tell temp ten term terminal terms test testing tests text th than thank thanks that the their
them theme themes then there they thin thing things think third this thread threads threshold
throw throws thus tick tier tile time timeout timer times timestamp tiny tips title titles to
toast today todo todos token tokens too tool tools top topic topics total touch tr track tracking
trait transaction transfer transform translation transport tree trees trigger trim trip trust
trusted try trying ts tuple turn tutorial twitter two txt type typed types typically ui uint uk un
undefined under uniform union unit units unix unless until up updated upload upon upper uri url us
use used user users uses using usually utf util utility utils val valid validate validation var
variable variant vars ve verb verification verified version versions very vice video view viewer
views virtual visibility visible visit visitor visual void vs wait walk walking want warm warn
warning was watch way ways we web week weekly weight well were what when while who whole why
widgets wild will win window windows wins wire wish within without won word words work worked
worker workers workflow working works world would wrap wrapper writer wrong ws xml years yes yet
yield you your za zh zip
`
    .trim()
    .split(/\s+/),
)

/** What a common word may end in and still be two tokens at most. */
export const ENDINGS = ["s", "ed", "ing", "ly"] as const
