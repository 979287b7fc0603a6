/** 4,096 characters of a text, repeated. */
export const fill = (text: string, length = 4_096): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)

/** Texts that cost many tokens for their length, each in its own way. */
export const FOREIGN: readonly { readonly name: string; readonly foreign: string }[] = [
  {
    name: "English",
    foreign: "Add the login route with rate limiting and the tests that it needs ",
  },
  { name: "single letters", foreign: "q z x j k " },
  { name: "rare pairs of letters", foreign: "xgqklnrjlpjzqjzqzjzqzqjzqvpzqzjzqkqkqkqgk" },
  { name: "letters and digits in turn", foreign: "p8y9x6qk1c6b0nqj6p5u5z2t8jv2w5j1c3w1j3z1" },
  { name: "base 62", foreign: "Ck3iTn8oXnB7N0qgM9i2x5QjVh7xkVfI5p1wA1X6GdU4fYcVYxUqJ" },
  { name: "upper case", foreign: "QKQFJXJQXKQOZVJQYQXWQYQJQWJYJYVQGZKZLQKJXWJQKX" },
  { name: "camel case", foreign: "aBcDeFxQzJgKwY" },
  { name: "signs", foreign: "!?#$%&*()=+[]{}|;:,./~^_-\\'\"" },
  { name: "runs of one sign", foreign: "##########==========" },
  { name: "backticks and tags", foreign: "</boulder>`<system-reminder>`" },
  { name: "Chinese", foreign: "添加用户认证接口的单元测试并更新文档" },
  { name: "rare Chinese", foreign: "龘靐齉爩鱻麤龗灪吁齾" },
  { name: "ideographs of an extension", foreign: "㐀㐁㐂㐃㑇㒼㓦㔢㕕㖞" },
  { name: "Japanese", foreign: "ユーザー認証のためのエンドポイントを追加する" },
  { name: "Korean", foreign: "로그인 경로에 대한 통합 테스트 작성" },
  { name: "rare Korean", foreign: "뷁쀍꿿뛟쩗쪣쫇" },
  { name: "Arabic", foreign: "أضف مسار تسجيل الدخول مع الاختبارات " },
  { name: "Thai", foreign: "เพิ่มเส้นทางเข้าสู่ระบบ" },
  { name: "Hindi", foreign: "लॉगिन मार्ग जोड़ें और परीक्षण करें " },
  { name: "Russian", foreign: "Добавить тесты для модуля авторизации " },
  { name: "runes", foreign: "ᚠᚢᚦᚨᚱᚲᚷᚹᚺᚾᛁᛃ" },
  { name: "emoji", foreign: "🚀✨🧿🪬👩‍👩‍👧‍👦🜁🀄" },
  { name: "a plane beyond the first", foreign: "𐌰𐌱𐌲𠀀𠀁𒀀𒀁" },
  { name: "combining marks", foreign: "z\u0335\u0321a\u0337\u0322l\u0338g\u0336o\u0334" },
]
