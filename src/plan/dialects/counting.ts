// Puts the number by which a heading counts into digits after its word, however it is written.
/** How many of a kind make a list, a column or a pattern: one does not. */
export const LEAST = 2

/** What follows such a number and its word: a sign, or nothing. */
const END = String.raw`(?=[ \t]*(?:$|[^\p{L}\p{N} \t]))`
const DIGITS = "[\\d０-９]{1,4}|[一二三四五六七八九十]{1,3}"
const WORD = String.raw`\p{L}[\p{L}-]{0,30}`
/** `第一步：A`, `1단계: A`, `1-й этап`, `2nd phase`. */
const DIGITS_FIRST = new RegExp(
  String.raw`^(?:第[ \t]*(${DIGITS})[ \t]*(?:[个個][ \t]*)?|(\d{1,4})(?:(?=\p{Lo})|(?:st|nd|rd|th|e|er|re|[eè]me|[ºªй]|-[йяе])[ \t]+))(${WORD})${END}`,
  "u",
)
/** `フェーズ1：A`, `任务一：A`. */
const DIGITS_BEHIND = new RegExp(
  String.raw`^(\p{L}{1,30}?[\p{Lo}\p{Lm}])[ \t]*(${DIGITS})${END}`,
  "u",
)
/** `First step: A`, `Phase One: A`, `Phase II: A`. */
const TWO_WORDS = new RegExp(String.raw`^(${WORD}(?: 번째)?)[ \t]+(${WORD})${END}`, "u")
/** Most headings have the form `Phase 3: A` or `Files to change`: more than two words of plain letters, or one and digits. */
const NO_SUCH = /^[A-Za-z][A-Za-z-]{0,30}(?:[ \t]+(?:#?\d|[A-Za-z-]{1,30}[ \t]+[A-Za-z0-9])|$)/
const ROMAN = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"]
const FIRST = [
  "first|primer[oa]?|primeir[oa]|premi(?:er|ère)|prim[oa]|erste[rs]?|перв(?:ый|ая|ое)|첫 ?번째",
  "second|segund[oa]|seconde|deuxième|second[oa]|zweite[rs]?|втор(?:ой|ая|ое)|두 ?번째",
  "third|tercer[oa]?|terceir[oa]|troisième|terz[oa]|dritte[rs]?|трет(?:ий|ья|ье)|세 ?번째",
  "fourth|cuart[oa]|quart[oa]|quatrième|vierte[rs]?|четв[её]рт(?:ый|ая|ое)|네 ?번째",
  "fifth|quint[oa]|cinquième|fünfte[rs]?|пят(?:ый|ая|ое)|다섯 ?번째",
  "sixth|sext[oa]|sixième|sest[oa]|sechste[rs]?|шест(?:ой|ая|ое)|여섯 ?번째",
  "seventh|s[eé]p?tim[oa]|septième|settim[oa]|siebte[rs]?|седьм(?:ой|ая|ое)|일곱 ?번째",
  "eighth|octav[oa]|oitav[oa]|huitième|ottav[oa]|achte[rs]?|восьм(?:ой|ая|ое)|여덟 ?번째",
  "ninth|noven[oa]|non[oa]|neuvième|neunte[rs]?|девят(?:ый|ая|ое)|아홉 ?번째",
  "tenth|d[eé]cim[oa]|dixième|zehnte[rs]?|десят(?:ый|ая|ое)|열 ?번째",
].map(wholeWord)
const ONE = [
  ...["one|uno|uma?|une?|eins|один", "two|dos|dois|duas|deux|due|zwei|два"],
  ...["three|tres|três|trois|tre|drei|три", "four|cuatro|quatro|quatre|quattro|vier|четыре"],
  ...["five|cinco|cinq|cinque|fünf|пять", "six|seis|sei|sechs|шесть"],
  ...["seven|siete|sete|sept|sette|sieben|семь", "eight|ocho|oito|huit|otto|acht|восемь"],
  ...["nine|nueve|nove|neuf|neun|девять", "ten|diez|dez|dix|dieci|zehn|десять"],
].map(wholeWord)

/** A word counts no work where it counts what is thought about. */
const NO_UNIT = new RegExp(
  String.raw`(?:^|[ \t])(?:options?|approach|alternative|scenario|example|figure|table|appendix|chapter|section|level|layer|case|flow|principle|rule|guideline|convention|` +
    "opción|opção|opzione|vari[ae]nte?|вариант|ansatz|enfoque|escenario|cenário|scénario|szenario|сценарий|ejemplo|exemplo|exemple|beispiel|пример|" +
    "cap[ií]tulo|chapitre|kapitel|глава|secci[oó]n|seção|abschnitt|раздел|apéndice|an[en]exe?o?|anhang|приложение|caso|fall|случай|princ[ií]pi[oe]?|prinzip|принцип|zasada|regl?a|regra|règle|regola|regel|правило|reguła)$|" +
    "(?:方案|选项|選項|案|オプション|방안|옵션|场景|場景|シナリオ|시나리오|例子?|示例|예시|图|圖|図|그림|表|표|附录|附錄|付録|부록|章|节|節|장|层|層|ケース|사례|原则|原則|规则|規則|原理|ルール|원칙|규칙)$",
  "iu",
)

/** The words of a heading with its number in digits after its word: `First step: A`, `第一步：A` and `Step I: A` all become `step 1: A`. */
export function inCount(words: string): string {
  return NO_SUCH.test(words) ? words : (withDigits(words) ?? withWords(words))
}

function withDigits(words: string): string | null {
  const [whole = "", first, ordinal, word] = DIGITS_FIRST.exec(words) ?? []
  const [name = "", called, digits] = whole === "" ? (DIGITS_BEHIND.exec(words) ?? []) : []
  const number = first ?? ordinal ?? digits
  if (number === undefined) return null
  return `${word ?? called} ${inDigits(number)}${words.slice((whole || name).length)}`
}

function withWords(words: string): string {
  const [both, one = "", other = ""] = TWO_WORDS.exec(words) ?? []
  if (both === undefined) return words
  const at = placeIn(FIRST, one)
  const count = at || ROMAN.indexOf(other) + 1 || placeIn(ONE, other)
  return count > 0 ? `${at > 0 ? other : one} ${count}${words.slice(both.length)}` : words
}

/** Whether headings may count work by a word: not by `Option`. */
export function countsWork(word: string): boolean {
  return !NO_UNIT.test(word)
}

function wholeWord(source: string): RegExp {
  return new RegExp(`^(?:${source})$`, "iu")
}

/** From 1; 0 if the word is no number. */
function placeIn(numbers: readonly RegExp[], word: string): number {
  return numbers.findIndex((number) => number.test(word)) + 1
}

/** `１２` and `十二` as 12. */
function inDigits(number: string): string {
  if (/^[\d０-９]/.test(number)) return `${Number(number.normalize("NFKC"))}`
  const [tens = "", ones] = number.split("十")
  const digit = (sign: string) => "零一二三四五六七八九".indexOf(sign || "零")
  return `${ones === undefined ? digit(tens) : (digit(tens) || 1) * 10 + digit(ones)}`
}
