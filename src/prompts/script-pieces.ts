// The first pieces to which the tokenizer (o200k) joins letters, by script.
/**
 * For each script the first pieces of o200k, in the order in which it joins letters to them; "_" is the blank before a word. For Chinese
 * and Korean, single characters only. `script-pieces.test.ts` checks them against the tokenizer.
 */
export const SCRIPT_PIECES = {
  ASCII: `
A B C D E F G H I J K L M N O P Q R S T U V W X Y Z a b c d e f g h i j k l m n o p q r s t u v w x
y z in er _t _a en on re _s at or es an _d he _c _p is ar it al le ou _m _f _w _b as ing _the ic et
_o ion ed el _n ro ent nd st _l _in ct om il _h am id _to _e im _re _v ad _th _and _of _g ur ch _de
_S _u ut ol _y ig se ot em ag iv qu _T _A ay _I ac ul _C os if od tr _k un est ab ate ir _is ow us
ation ort _M um _for ie _P ter ce our _on ap th _con av ers te _be _D _B end _st ist ak ly pe and _r
res ub oc _al ess ith _pro _j ame ver port _an _L _com _ne _F ass _E _se lic _R ue op out _en ht _wh
_as _qu ction age _N og _it _you iz _with _that _W _H ip ex int ill ant urn _this art _tr _G _he _or
_le ik ment ore rom ere _ex ine ang ind get ain ok ib ud pl turn _O ect ia ity _un _if _at con per
ata _ch _pr orm ack _are ile pt _la import able ial ost cl ies _cl ov ust _i ult ave nt _z _we ld
ight ublic ive all act _from _su ire ell ard ser tring _U ice ord ff ne de ra ans ide ase _new _do
_return _The _not ure ast ob _V _pl _your In pr com _sh ime _J are ont _ar ype _el ite pp _by _K
_que iew ail _can _me _was ace ode _int ach _have ll ij ge elf _par _ad str one rou _ab _res St ens
du form ich ong cc xt pon _get ber Re _all ath io ject _te _In _des ign alue ork ve _will _class lo
ome _Th ize _public au ull ions der ook _us ance ould _im put ient _per _vo ext ated yst ous so ple
erv par cr ress ck ert ey ount ma _go _so ake ary up vent ory pro ft _dis ear _ma unction _cont err
ystem _out row _und ug ien ah ual this ock _has we fer _et _no div _em Name _Y ER ition _up ri _man
ery _pre _es _sa ink eng ek _but ng _est cre ound gr name _na _St app ier Id _Re ree Con ors String
ose text _set lect _my ild che ations iel ical ann to ew _am own ark ther ener _more ps List cept gh
Pro odel ph ement ings add IN ike ool _var ade _ro ON The set ivate und _gr atch ung _str clud _op
Ex _inter _col _part her _one vel ick ater rr ec iss _void ton _sp _ag _they _const ep inal les _da
return _Ch tt enc _our _their ays _pe me ove _comp _self ange _app anc _def urr _time Com quest _any
ado ven _ob eth fo az _over data _die _about ef ence _del led _stat ss alse ava ents ise View RE
_work ry pos ank val oy ish _er eb _function sh ST _which pec oint _ent reat ble que ix duct tem aw
line Th tion abel Cont _add sp ely irst public self mer uk _bl Type _van ied rit ale essage arg ific
ield oll erm uch dd cess Data _bu _String vo co _fe ada crip _use ian _else Res Ch ty eg _para _id
_x _also _who _System ese ervice _It _der AT ash _his ox _some umber _data uth ID Col _ver ator ner
pect _private igh any _pos lement aj _null _Pro _acc _when EN _je _end fig ait ke _other yn _off
Text old ger view _af _year erson als red read _br tern _like OR ten li _name _need ource AR _kn def
urrent roup ception date _di _reg _just _This _act ute _org _ser _her wo _been _may _les _true quire
let its _min uct _een _there param son ict ai ax ating _Un _rec ys ader _them _real _ac cont _che
oun ates _por _ind To ices itt Cl new _Com _ph _hel _comm utton LE ning _los ues _co Tr _what _bet
ond _We arch _ap trib _met uf user vid ible yle _value ength very ponse of _fr iet class _lo ault
ask _het Ob _av _had _val _sc ages _du ames be var IT clude _cons _med _det ument ana _would AL roll
_false _Q _Z _type ole ular min _how _dr AN ful _dif til na _were ople _into _sur ows _Tr amp _De
air _cre _make rol ina ta SE _Con _result _rel _loc ics _sub error ethod ze _fl _Se af ho _java ody
ml ts _list ins ww En _than itle ente _first ica _aw _bo By Se Par je _import _tem Item value ious
work ause print lick ule _back ense _start _ein _only _You ures _ke ower arr _its raw _fil _string
ces _inform _form ments urs ities ayer _look _let _static ember day _best Value ler _under _trans
ender _most _find _person _ed ustom _help olog string _Wh _ng ateg lection den oth _rem _people _Al
_car const la _He _ass irect _want ari ession ren _An bo gram br _don _long _gu _sk ern Im wa _inst
load rough _um ha ets _final _arr _read orld uc hed reak fr atus _ge _ve ting _test no bl Object
_every _Ar _spec _should ponent ES _know ood ility Exception _sm _mon _cr _she _Ex wn _well ush ux
_pres _sch ms _si yp _den tra iver ager _il _exper _som col ative word reg _hand url try rap ons
ream ily iness _mod _dat _then Get ym _through use ccess _pol uss _user _char _inv aut fore idth
_opt fl icht ats _require _If User _sim using ends _right serv _pass ka amb _stud ui sert _very ough
ife ais ref void _As ior _these _web State ased _dec _sol _product _case cond CT key _good ene _mak
ars ni _cor _ka _vis _bel rray _prof _dur _down _bus _where _two _see unc De _sl _post _att perty
Time _pour _aut _high _after rem _ext php for cent ouse ru ackage ature ister UL _even ational _now
_Sh ara _art _And _eff ouble ote ience round _men _una ider rror uff ivers _file ando action ersion
arn oin include _sup _mark Set ify ane rite umn els _many arget Ind _os _las htt _gl leg att play
_cal _way _much hr RO ayout _bec _Le _dem press _ho IC _could ants ines _om _ou lease Key _New ride
Service ution ION roid _while ced za DE util item _said era _used velop _Pl He ja org emb Wh opy
_try ward wh _fam ino alk vis _og _number cription ya Event _mo _serv _years ocument _event _here
ited _play _cas ized cript ci ante land idad _print aar _X _En _fin log Info uit _key other _log
order ken ally AM _comple ama cho kt AS _On _day _information We _item _differ ttp _pas _last ET
Button umm Sh dit alth UR _sin _tak _Cl _program ollow _word ails Pl ros _includ _text unt struct
back _current mp _great _For _ins _gener arm On ique An ga _does roller atur _fa Qu _sign pre
_because _home _such Model _free _did At Man ams Or ED tn _before Error index ital UT ida ample ives
Un ware _num _process uthor ste File comm _provid rop _Pr ache ector loat _ya IS ido _online _voor
Over oad face fe Request _take As ional Map oh man _ste chn _Fr _own _Res file go _child enu Color
_view Ar ours _cap _das imes _q td _break vert iter _arg ared _top by ually erg Al _size ason atic
ains _sit ailable ocation _show _ce _model _using enn ini _design rc ism Index _sal _check _world
eter ijn ament _week lication _son _book Element _him itch lete Form _mit ght do ivity _think
_business Test AD _tot _again _system _call ye _prote ico ua ados _cent _pa ih _zu AC package _point
_Be ott _produ _Col _being oto _rep _mat ideo _made ios _each oot _poss right _run _une ero gen
aterial Int _ha export _place ident _qual ape _po ks Le oken _cle _soc _found type _open _ist
_support This _create _Gr hip ora _pat Date ather come _To po result Context _como ala da ined Box
istr ql olean create _super ters ende nen _line ween _All ists Size _cho sole vice _ku _partic orn
une App icense _ni Of ocal _order _service ainer _develop lected Add Class ita iment _App ync Em
input _contin lich All _method indow itor _custom _Or _quest _state ige Field pace _next ploy _life
_request _those Path ctions _eas _follow trans search itial indows _care _So ira _mu _vol _vi list
tract ump _array icle Ad _different aining _oper For IL _List _prov Up _beg _expect raph _mov rows
wer _dans _Sch _Te _mar ots _organ ias _same AP _Ad define iving _coun _intern ING less _local LO
Node _site nect ura function _rece stance _proble men _style _ref _really ird ela Log ified omb
Array uil ission _ik span _pop _writ Message ric tribut _sem Component Group _ide ili ished ato
_main site OM _Ind _Is ever mit _sw inc Result ways urch Manager _net _pay _qui sc _default Image
_au _exp _commun ency Override _equ lock _must _dan else pty Config _von _game _conf ness _object
Act tes _direct OT _fun ENT erc ti IM _dep irm Code heck ross _available _fact _hab from _around Des
uck ijk html _Sp aff ization stand _cu Val off _Br _rest _ta _between _cour va Not not _ret ee ium
uro cul With _wer _old _say iles _non HE _Me plate over _mais por http posit ically oss orth _market
AB omen _term _error ags odule _cert _ti vir _pu _android UN _mus _still _ang pen _plus _auf
_without Pr crib obal Hand _Get ln _month _ak Controller _mas ubl _US aan ito ilter _disc _offer
_err ron _going iven AG ential _both _ben query ift vol nection ading ULL Sc pons anel bar older
_project ena reate tribute teger _max met _No ategory _put ny ati ali _page ipp ftware _report oney
_build aving ingle Fr ummary _uma Is _incre ground _happ ology _La adi _ann US ved ittle _love ani
_leg oud _client _seg code _Ob _come www ypes _ter thing _But ustr _als _ba _std inter sg the lar
_color book _fri api ume private _cost ards _second _content _too rist ba _path _Qu ogle PE ika _eng
_Cont _few zi _wa _hist creen ben ki _Bl ference _Im _port _aan ano resent pring Layout _Mar _lim
inn _full _appro config _pod ief _access _effect No OL _kan _They _ja ification Param _Ph cle eld
_company _message lex ona _stand chen assword Response _spe _head test vec Gr _ko _feel _Des valid
label lt ips _kom _IN IG It px _pot _zijn _level oci _document _team _mill med _enc pert _bas Opt
_mem ima Out max _health ables Status iones Be _sure _experience _El place zen _invest aces Trans gg
content _How FF char ending _field idget _lot Ent cur _Man fect _ca alt ething ination _There Input
ived ories pecial _imp _things _mag init _ir _small elt _table mb isk _iss uffer ille len tings
uration cer true _License _won _ki _sex _mom _protect System ling _response angu _always Page _Amer
OD _consider room _present
`,
  Cyrillic: `
а о е и т н р с л у к ы д м в я ь з _п ч п _с г ра й х і _в ст б ш _н ен _и _к ә ан _б _д _о ц _т ов
_м _а ар ал ер ол ат ет ж ю ит ор ны э ом _на ел _пр од қ ни _з но ли ог _у ф на от ем ка ү ла ки ед
ия он щ ой да ө _г _р _ч ам ся ак _не ин _ж об ос ес _ра то ғ ва ек им ил ң _за _э _л ие _е ого _х
ля ир ей ок ож ай ын ас ост ру та ии _от ств ти ав ий ать ег _ш ис оз С ҳ А ур _об ъ из ара П оль
_ст _я _қ _по _вы _А ель ў _П уд аз ид ыл ез _С _В В _ф ут ды О К ми ить оп ения ич ул Н ив ск не
аль ных _К _из аш ри ют ност _М ци ін ест ад ё _Б ные ев _Н ного Д ку ной ты Т М ня уч ение ма оч әр
_да _для га ј ик ус И Р рав _О _раз _св еч ую ный _ин _Т ры әа их еб _что ко _под сп ент уп _про ән
еп ется ист или _Д _бол _пер _Р ҭ Б ят ун _і аб _сп _вс _ц ро аст ум еш ход _пол ди ала ї _ө ован
_так ера го _мож _И _сл _при ым де _кот ған ҙ ах ыр _У ых же ԥ _как ини _бы У лар иш _со ле ред _ком
кт _пред ые уб аг уж Е _ү _та Г ень _һ ная ции лен әт уш рат ще ый ні еж _котор анд зы ите ақ һ ект
бот ным _ҳ _ал итель _до _кон _эт аж ая кі ган _ос З ех ран ои _од ков _й _или ҡ ени ное рем є _им
ць ому те лі _оп ары ға ұ его _мен ца _Г ду сы _пос _то _он тер _буд лю ности раз ке ция үр _ба Л иг
ски ров ность ичес _сам стан ош али аны ҟ ап _ў ора лы тә ӣ ода ствен ина өр ді _ар _это са дан ше
каз ыз сли ть ое сл арт _ор сь _З оя _лю орм ата _Е үн ип иб _воз _ә олько вер ында _ва ҵ _работ
_дар иль ль алы нов руг _ав ство пр мен ці _пл ами _уч ту ания ана эр _бу ном _бар ҩ _ад дел цы она
атель ниң вет тор _но _пра ольз ҷ нач ыш ства _ак _см ач _аз рам ати Ф _бер уль ее _сво ід _му обы
ғы ную ает ила отр _пом _Э _тр ющ эн әм _пок _боль аты ір они _все _Л із _комп _дол яв өн ика _Х Х
ются _исп _его став ики гә стр тив _без _был ник ете сть _во _прав _врем лу ител _рас _их _пов яз
ның еи есп _вид орт қәа овать Ч уа остав ание _ан _нов си _можно ӯ _кор кой ним оду _кол ец ух әл
`,
  Han: `
彩 天 中 的 大 时 网 人 在 发 日 一 年 线 乐 分 京 开 国 车 月 是 三 视 快 不 久 赛 平 争 有 霸 新 频 娱 台 下 看 官 么 奖 码 本 上 费 品 免 合 吗 色
了 机 号 片 注 文 亚 产 重 方 期 美 全 信 影 区 站 公 金 高 成 洲 地 理 用 法 怎 无 电 观 图 小 址 生 和 最 现 个 以 会 手 件 载 家 多 市 为 名 作 庆
能 出 爱 版 精 代 行 可 户 提 计 来 女 元 游 万 县 自 到 体 主 数 册 情 子 利 我 五 道 第 前 经 要 果 二 安 资 真 博 好 入 字 者 播 特 点 这 划 性 动
心 商 业 间 部 学 级 事 定 里 买 后 度 关 水 球 工 玩 通 清 投 加 香 规 源 钱 内 料 表 对 系 报 直 登 软 实 戏 综 同 说 结 送 服 位 接 城 什 放 面 于
技 场 管 拍 交 司 回 正 录 总 無 夜 如 论 式 请 目 选 客 解 页 院 港 老 之 外 门 过 牌 今 进 所 取 单 明 群 等 据 记 他 长 力 六 少 化 次 四 热 男 福
更 民 务 与 当 山 哪 得 推 比 神 马 类 走 相 保 青 意 联 時 此 卡 先 都 示 值 社 建 赢 你 集 际 海 米 也 幕 口 讯 就 运 息 育 制 其 势 招 量 样 双 任
物 查 州 円 格 超 做 程 西 设 何 去 器 专 话 们 题 展 布 星 原 韩 购 知 速 亿 十 东 员 路 律 宝 黄 科 链 南 没 活 被 百 阳 巧 型 将 教 偷 音 使 属 近
限 改 领 江 首 而 流 政 标 评 起 打 参 章 蕉 导 至 世 局 王 预 容 然 测 返 空 堂 草 毛 龙 求 置 未 思 红 足 碰 苏 黑 靠 肖 还 组 算 编 证 问 共 华 统
传 間 赌 婷 价 装 感 店 立 奇 着 友 坛 输 周 午 易 持 啪 称 从 常 众 白 言 优 告 九 强 電 考 想 荐 包 吧 认 骗 及 基 破 假 斯 太 完 因 介 狠 云 消 创
妻 头 除 已 身 只 例 克 很 干 那 应 功 收 支 权 责 北 列 界 读 妇 但 助 战 案 态 处 指 办 率 受 存 申 票 闻 伊 房 条 连 两 种 转 书 锋 付 光 增 款 询
师 花 修 备 团 邀 省 整 准 广 始 必 股 供 调 并 赚 给 企 风 党 些 木 火 操 则 向 竞 充 尔 士 委 虎 航 失 军 试 术 历 河 环 营 项 验 极 画 治 复 几 达
德 由 别 库 医 另 林 激 财 模 具 土 記 反 节 深 牛 排 需 又 網 八 配 倍 姐 早 或 追 密 業 愛 皇 場 圖 端 非 陆 造 動 每 研 演 英 带 杀 引 丰 飞 盘 售
击 语 步 盛 室 報 质 稳 盟 川 爽 笑 形 校 照 钟 队 史 确 住 拉 富 伦 乱 施 各 気 效 变 旗 私 气 宁 食 脑 销 份 获 熟 否 冠 议 尼 谱 初 辑 张 义 像 让
停 索 春 声 析 象 见 載 止 职 後 络 說 账 盈 央 约 段 見 漫 您 显 享 古 简 银 才 税 升 沙 禁 鱼 胆 维 挂 习 便 板 即 野 错 败 七 满 再 死 控 汽 潮 序
命 稿 护 额 己 续 详 状 防 济 右 刷 線 開 该 材 越 岁 究 番 永 晚 視 断 儿 左 千 望 典 喜 监 田 兴 丁 欢 纪 休 志 夫 换 話 妹 巴 退 凰 互 素 兑 村 透
罗 略 落 根 词 病 康 留 石 述 斗 决 把 哥 举 写 油 個 射 她 采 构 欧 核 府 答 低 余 底 域 旅 按 體 県 边 候 待 波 普 绍 國 書 味 智 秒 细 警 費 益 找
発 险 漏 餐 套 座 約 藏 谁 兰 迎 搜 健 機 務 剧 微 均 景 随 印 派 猜 切 签 境 良 長 差 狗 惠 围 半 况 夏 東 农 故 策 乳 范 艇 価 阿 車 予 攻 卓 依 李
胜 吉 角 宾 违 問 菜 秘 酒 降 厅 积 致 园 頻 湖 识 许 季 血 媒 篮 温 鲁 武 母 听 連 計 摸 威 雷 哈 実 难 篇 撸 衣 截 跑 谢 居 负 融 族 承 吃 览 压 艺
箱 检 误 様 歌 俺 养 込 坚 远 诉 尚 币 眼 审 売 协 货 班 订 汇 奶 風 添 丝 副 短 朝 严 語 肉 孩 啊 念 讲 害 善 跟 設 亲 终 赔 湾 尊 露 玄 蛋 婆 豪 离
関 朋 执 津 铁 仅 零 員 革 贴 乡 贵 键 岛 移 符 曲 玉 伯 担 森 串 婚 择 叫 响 現 欲 噜 卫 邮 织 対 楽 拿 批 描 資 希 兵 且 辆 觉 評 课 結 犯 插 仙 術
楼 豹 洞 较 給 読 独 顺 裸 屋 扫 曰 访 层 論 亮 察 種 冷 它 選 宣 诺 級 來 別 令 判 含 泰 异 続 庄 菲 誉 汉 奥 勤 床 急 猫 捕 礼 绝 药 授 谷 券 妈 句
封 応 突 聞 爆 刘 概 迅 毒 纳 轻 浪 咨 适 占 幅 過 往 洋 减 培 倫 紧 質 昌 題 師 號 爰 巨 贝 詳 仕 卖 附 細 梦 救 遗 席 般 弊 块 迪 雄 豆 训 販 乌 似
树 疗 届 類 洗 庭 雨 默 探 祝 琪 括 門 鼎 绑 启 顶 學 童 尽 歳 佳 為 伟 恐 租 函 丽 诗 继 淫 曾 荣 葡 赞 籍 延 皮 溪 映 麻 束 雪 井 征 婦 守 镇 経 祥
粉 松 強 島 某 轮 週 陈 闭 末 峰 點 爵 却 刻 唐 遇 补 托 舞 池 亂 區 障 昨 俄 優 喷 製 産 遮 著 購 背 趣 杯 若 厂 染 宇 勒 雅 聘 吸 帮 會 架 秀 绿 途
暂 吹 诀 梅 迷 尾 脱 疑 街 編 抓 须 枚 暴 確 検 圣 魔 泉 啦 秋 归 聚 変 發 督 奸 圳 冲 翻 父 覧 旺 熱 谈 買 腹 狂 挡 临 刚 冻 備 験 宅 宿 藝 扣 認 诚
組 径 伤 罪 蛛 摄 職 污 慰 乎 願 關 涉 馆 紹 曜 袜 転 襪 损 够 盒 甘 齐 價 狐 仁 這 經 折 呢 刺 残 嘛 終 調 駅 説 泽 瑞 陵 吨 摘 聊 涨 態 释 灵 娘 呼
纸 觀 幻 冰 笔 姓 媽 朗 宜 摩 割 幸 珠 產 愿 烈 叶 旧 帝 甲 収 內 桃 広 護 導 础 悠 狼 脸 猛 静 営 坐 々 佛 募 慢 忘 録 肥 植 凯 値 懂 牲 讨 尺 促 固
圈 腿 戲 宗 嫩 榜 针 歩 萬 黃 阁 危 胸 填 塔 躁 恩 與 際 措 饰 硬 鬼 悉 盾 侵 穿 贸 澳 困 臣 痛 苦 震 幼 杂 舰 郎 亡 蓝 倒 玛 抗 運 頁 借 疫 頭 悦 徒
拖 規 澡 逼 姑 阴 跨 弄 催 赤 缩 換 丹 庫 弹 宫 亞 玖 氣 颜 茶 搞 於 園 献 蒙 唯 粗 伴 摇 杨 滚 钢 距 跳 症 鸡 寸 辅 龄 浦 奈 弟 穴 隐 诊 船 邦 況 株
净 练 屏 鑫 纯 坑 刊 盖 暖 兼 試 進 扑 援 樂 醒 恒 召 縮 請 決 訊 隆 數 抽 桥 拟 励 鲜 恋 黎 档 毫 皆 伙 碼 萨 毕 凡 润 竟 爸 跌 翼 冬 吴 脚 劳 馬 寄
`,
  Kana: `
ー の い し ン で す ま は に と ス た ト て な イ が ッ ん る ル か を り さ ク っ も こ ラ う ら お リ れ あ ア く そ だ き レ タ コ グ ロ フ シ メ
カ ド ます プ さん ジ です よ サ ち け テ ご ィ ブ め マ バ み つ キ ど え ズ や せ チ ック ュ ャ わ デ ニ ウ ット ント セ して オ した ム エ パ ビ ース ば
ミ ピ ョ ポ ール ナ から ダ ェ ね あり ろ じ ング って ケ イン ネ この います ード ました ラン その ゃ イト ワ ート また メント さい ベ ペ ざ ず ガ リー ツ ハ ホ
モ スト します する へ ーム ージ コメント ップ ソ ゴ ショ ノ った ょ では ター ザ くだ む ください ボ ござ ほ ログ でも イズ しか それ ない ディ とう いう ュー ぱ
ンク こと ありが ヤ ピー まで これ べ そう ありがとう ただ ります ション ラック び しかし ませ ブログ ございます そして フォ サイズ こん ひ ティ ライ っぱ げ スタ ません
しい サイト ギ セット ゲ いい され いて フィ にな ーカ クリ より ちら バー ファ ーツ という ラー
`,
  Hangul: `
이 다 는 에 하 을 의 로 한 지 고 가 니 기 은 를 서 리 사 인 시 스 해 도 자 어 _이 으 라 일 _있 정 아 나 장 수 요 트 게 제 대 보 원 용 과 상 들 습 _수
면 _사 주 성 드 전 부 적 _가 만 _그 _대 구 화 _기 소 문 여 마 세 신 동 터 회 우 그 국 입 _하 비 오 _시 _것 년 _아 _지 와 간 공 _전 할 합 치 내
_보 러 진 했 개 업 있 _정 안 _다 _제 위 미 _한 무 명 조 음 되 경 품 운 계 유 야 _자 데 분 행 관 력 재 었 월 _주 며 체 영 _위 _모 바 출 금 호 생 선
_인 실 거 식 연 래 산 작 학 모 _경 된 려 단 까 _나 카 _일 료 크 록 프 _상 _등 _공 _중 방 당 번 중 능 타 물 임 교 _부 _없 매 히 _않 글 르 _오 레
차 _마 디 후 _어 포 노 _내 _여 _조 _해 양 역 _관 _개 법 _소 발 _생 저 _만 더 각 _비 _고 표 _유 _바 통 _구 반 른 건 _때 람 본 _및 설 _선 민
_방 _연 천 _의 속 점 _스 격 _안 파 토 등 _서 현 버 _신 감 _최 청 _무 심 목 약 것 함 _우 난 형 _발 _문 든 _통 결 _말 _미 울 _실 _도 두 처 배 코
_입 _동 님 직 _예 _세 던 _영 강 준 _더 름 _되 종 급 _추 예 네 _분 환 루 티 최 험 _같 _성 _많 택 _거 린 태 메 남 집 련 질 석 션 _확 께 았 증 _저
_국 술 즈 _진 항 피 _작 색 송 립 페 너 판 랑 말 _할 _좋 _알 _결 키 추 근 없 _원 권 _후 _장 복 _설 브 달 별 런 외 _게 _따 _배 _출 워 _현 _또 류
편 테 _카 _프 _받 _계 _강 _포 _반 _교 _함 겠 및 _매 _감 변 _파 _불 온 _적 플 날 절 박 량 였 _당 _들 _필 _회 _변 _요 _단 _재 뉴 림 _리 _노
김 론 _특 뷰 향 육 초 열 _데 _차 담 불 언 때 블 츠 _남 _참 져 승 활 확 _건 족 평 길 란 _과 객 _메 _코 _목 군 팅 황 광 텔 백 움 늘 _두 _학 책 독
접 럼 억 _물 령 _호 _했 북 렇 축 _올 _에 _잘 _검 커 _새 받 _김 _활 _운 _역 락 _달 ㅋ _직 _행 _처 망 특 _평 패 _열 _화 검 투 순 또 _피 _종 같
랜 _초 _번 _명 애 _된 머 _못 램 _본 십 참 알 희 올 링 규 째 _업 않 _드 새 좋 _간 _살 _로 _찾 케 필 악 _온 창 _점 _체 _높 녀 템 _크 병 _집 액
_맞 _표 _라 베 _금 _환 답 _증 _편 _클 견 존 _각 될 _판 막 폰 _타 클 겨 침 착 _디 _외 _약 밀 _속 _완 _양 _글 걸 율 퍼 살 응 많 _산 _앞 쪽 릭
획 찰 느 _버 _치 짜 친 익 _심 _날 _투 따 럽 _손 널 돌 _청 _총 센 _플 득 _채 _너 범 채 _음 총 벤 졌 _싶 _접 곳 _먹 _순 취 _누 _담 손 _취 누
_돌 셔 _밝 _형 _레 델 _책 엔 _박 _복 _토 씨 _느 _페 _걸 극 _언 _질 _임 례 _준 _식 _법 탁 쳐 _줄 완
`,
  Arabic: `
ا ل م و ن ر ي _ا ت ه ی د _ال س ب ف ة ع _م ق ک ك _و _ب ح ج ش _ک ال ز _ت ان ى ص ار _د خ _ل ط _ف پ ہ _ع
ے ات _س أ _أ _ن _الم ية ام ور _ج _من ست ض _ه _پ _في ذ _ر _ي ون ين ول _ش ث گ ها _ح اد لى غ _خ ں ې _ق
اب _ك ير ائ ئ _ہ _إ _الت _آ ند ای _وال إ ري ھ _می لا ین _الأ ود لي ظ اء ما نا وا _على _الع وم _در را
_به _ان _گ _کی يد _چ عد _ص _أن رو _کے اس _لل _ی ری _ط _الس _الح ە _مع مل _است ۔ چ _با يل رد رب هم _ز
آ يا اف بر _بال تر _بر من _اس ید ٹ لم _از _میں _الج قد یں بي ړ لك وق حد _عن _او _ہے ذا اه عة _الش
_الف له _غ _إلى ته يم _کو رف _الإ _ما تم _الد رة یر _الق لی _په _را _الن _الك وب _اور _الب رك ڪ _تو
_مح خت _که _ڪ _کر وں یک قة از ء _پر _سے _الص اع لة _الخ ؤ يو يس _این اح كن _جي لام وس _ذ وي _کہ مر
یم سب اق _الر اص _الذ یا _لا _التي وج وز ۇ دا ني _کا نت مة هي _تع وی _هم اض اج _أو _تح ارة يف رت _مس
لف وع مي _مت وت _مش _وت بل قي _ته اش _ئ هن وان _مج _الط مد یت _له دم _بن _نے صل ذه عل ڻ سم اری في قت
فر _جو ده _کې دي _ض هر _علي ھی _تر سی خر كل تي _بعد _سر لب اري
`,
  Hebrew: `
י ו ר א ל ה ע _ה _א ת מ ב ש נ _מ ט _ל ד _ב _ש ק ח ות ים פ ס ן כ _ו ג ם ַ _ע צ _פ ז _ד ער _כ ור _י ון
אַ _נ _ג _של ָ _ז ול _ק יר ונ ית ך וא ינ _ר _ח וד וב _המ וע _את אָ יל _צ יש _ת יק _ס בר _לה _הא יה
_לא _על ומ ום ּ יט _די _ט שר ענ יד יות ען יע יב יא ני _אַ וק אר ין ופ וש על וי רא _במ _און וס וח יין
ימ פר נו _גע יס
`,
  Devanagari: `
ा े र ् ि ी _क ो न ं क _स त _ह ल स ु ह _म _प म ै ार प ्र _ब ग _के _न _ज ्य _अ _है ें व द _द _र _व _ल
य _आ ू ान _ग _त ब ज ट _में _भ ने च िय ों _उ ाल ड श _कर _की _को िक _य _से ्त _प्र ात _इ _औ ित ण _और
_च _पर ाम िल _श _हो ध को िन ले ां _का ता ़ ्ट ख ना भ _एक िए ही _ने _हैं _थ _ख ाय िस _छ ास िया ्व ाह
_फ ते _इस री _सम ौ ाद ई ्ष मा _दे ाव _कि _रह _सं ए के ाज का _भी _लिए ाई ुर फ से नी _अप ाक ती ाइ ोग
हीं रे _आप ाग ्थ ॉ ड़ ारी ्या _ट ्म िर ृ ्ल ाथ _ले क्ष _नहीं _घ ्क ेश ष _ए ेल ुन _ड थ ्प िं त्र ाप
_यह _कार इ ्स ुल _ही या िव _अन _तो _सक ्न कर ँ ाने _पह अ _कह _साथ ली छ _हम _उन की _लग ाए ठ ला _किया
_मह कार _ध _करने
`,
  Thai: `
า น ร อ ่ ล ี ั ้ ิ ง ม ก ด ต บ ย ว ท ส ์ ็ ค ุ ะ ไ ห _ส ู ป รี าร ื ัน อง อล แ จ พ าย โ ฟ ี่ ช ข _บ
อน _แ าน ำ ิน ใ _ค ่น ฟรี บอล อต ล็ _ก _ร าก ับ _อ ระ ล็อต การ _ท าง ที่ เ ร์ _โ ีย _ไ _ต _ว ่า _น
าม ี้ _ฟ าท ้น ม่ ือ น์ าค ิต _ล ด้ _พ ถ อนไ ่ง ัง ลน์ _สล็อต ่อ _ห อนไลน์ ละ เงิน _ป ทย าส _บอล _ม
คร _ด _จ ศ าว เล ิด ึ ผ _ผ ัก เด อร์ ริ ็น ษ ่าย ดิต ้อ นี้ วัน เท ้อง ธ เต ไทย ุต ซ ประ ออนไลน์ เม
็บ _เล
`,
  Greek: `
α ο τ ι ε ν σ ρ π η ς υ κ μ λ ί ό ά _τ έ γ ω ή ου χ δ _π _κ _σ ύ _α αι φ θ _ε _μ ώ ει ικ να _τη ια
τα β _και _δ το ρο _το τη _του τε ξ ρα πο ση μα Α _ο ία _γ ων _να ζ _με ρι _έ Ε νο εί _της Σ _απ Π
_την τικ Τ _κα τι ίν με Ο _ό ού λλ ες _για _θ _από _που _η ών Κ _χ _συ αν ισ τά Μ ται _επ ρά _στο
_προ Η ές λο _τα ουν ρό εν ρί _β ψ σει _στη ίναι _φ _σε Δ
`,
  Latin: `
é á ä ó í ü ö å ı ç ð à č š ã ø è ş ž æ ú ă ê õ ć đ ł ə ę ą ọ ğ ë ż ý â þ ñ ô ư ő ś ā ụ ị î ß ế ò ạ
ț ả ệ ẹ ș ù ě ì ố ấ ň ề ţ ộ ớ ổ İ ř ợ ơ ờ ậ Đ ắ ủ ự ể ħ ī É ầ ē ở ń ṣ ű ė Š ū ứ Á ų Þ ů Í û Ü ồ ữ Ö
Č ï Ş Ç ặ ť º ừ ũ Ã Ó ỉ ử Ž Ä Å ź ễ ɛ œ ġ ẩ Î ỏ ō ẽ Ø ċ ẫ ɔ
`,
  signs: `
’ ” 。 ， “ … 、 – 【 】 ： » — ！ ） （ « • ‘ „ ？ 」 · 「 ° 《 》 ® ； １ ¿ ★ ² ２ ０ ´ ／ ♀ 』 ─ 『 § £ ３ © → ¡ ● □ ■
５ ♥ ♪ ☆ ４ █ ½ － ❤ ． ± ６ ━ ― ７ ↓ ８ ↑ µ ９
`,
} as const
