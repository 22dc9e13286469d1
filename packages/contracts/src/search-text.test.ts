import { expect, test } from 'vitest'
import { isFound, searchText, searchWords } from './search-text.ts'

const CHANGES = /\p{Changes_When_Casemapped}|\p{M}|\p{Z}|\p{Cc}|\p{Cf}/u

test.each([
  ['Café', 'cafe'],
  ['Cafe\u0301', 'café'],
  ['ÜBERSICHT', 'übersicht'],
  ['INVOICE LIST', 'list  invoice'],
  ['Crème\u00a0brûlée', 'creme brulee'],
  ['Straße', 'strasse'],
  ['ﬁsh & chips', 'FISH'],
  ['İstanbul ışık', 'istanbul isik'],
  ['Søren Łódź', 'soren lodz'],
  ['ΟΔΟΣ', 'οδός'],
  ['Ёлка', 'елка'],
  ['re\u00adport', 'report'],
  ['ｆｕｌｌ width', 'full'],
  ['한글', '\u1112\u1161\u11ab'],
  ['ガイド', 'ガイド'],
  ['100% of $<customer>', '$<CUSTOMER> %'],
])(
  'Search has no regard to case, accents, composition, width and kinds of spaces. (%j, %j)',
  (text, search) => {
    expect(isFound(text, search)).toBe(true)
  },
)

test.each([
  ['Café', 'tea'],
  ['menu', 'menu café'],
  ['かがみ', 'が ぎ'],
])('%j is not found by %j', (text, search) => {
  expect(isFound(text, search)).toBe(false)
})

test('a word is looked for once, and not where another has it in it', () => {
  expect(searchWords(' Menu  men MENU\u00a0card\u200b ')).toEqual(['menu', 'card'])
  expect(searchWords(' \u200b ')).toEqual([])
})

test('of every letter, what is read is read the same again, whatever its case and composition', () => {
  const unlike: string[] = []
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const sign = String.fromCodePoint(code)
    if (!CHANGES.test(sign) && sign.normalize('NFKD') === sign) continue
    const letter = `x${sign}x`
    const read = searchText(letter)
    const forms = [
      read,
      letter.toUpperCase(),
      letter.toLowerCase(),
      letter.normalize('NFD'),
      letter.normalize('NFKC'),
    ]
    if (forms.some((form) => searchText(form) !== read)) unlike.push(code.toString(16))
  }
  expect(unlike).toEqual([])
})
