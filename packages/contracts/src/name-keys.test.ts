import { describe, expect, test } from 'vitest'
import { isSameName, isVisible, nameKey } from './names.ts'

const CHANGES = /\p{Changes_When_Casemapped}|\p{M}|\p{Z}|\p{Cc}|\p{Cf}/u

/** Each letter that has another form, or none that can be seen. */
function* letters(): Generator<string> {
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const letter = String.fromCodePoint(code)
    if (CHANGES.test(letter) || letter.normalize('NFKD') !== letter) yield letter
  }
}

test.each([
  ['Café', 'Cafe\u0301'],
  ['CAFÉ', 'café'],
  ['two  spaces', 'two\u00a0spaces'],
  [' Draft ', 'draft\u200b'],
  ['ﬁsh', 'FISH'],
  ['Ｗｉｄｅ', 'wide'],
  ['Straße', 'STRASSE'],
  ['ΟΔΟΣ', 'οδος'],
  ['BİLGİ', 'bilgi'],
  ['KIZ', 'kız'],
  ['re\u00adport', 'report'],
  ['한\uad6d', '\u1112\u1161\u11ab\u1100\u116e\u11a8'],
])(
  'Names of tags and categories that look the same are the same: case, width, composition, spaces and invisible characters make no other name (D74). (%j, %j)',
  (one, other) => {
    expect(isSameName(one, other)).toBe(true)
  },
)

test.each([
  ['cafe', 'café'],
  ['inbox', 'in box'],
  ['a', 'а'],
  ['o', 'ö'],
  ['が', 'か'],
])('%j and %j are two names', (one, other) => {
  expect(isSameName(one, other)).toBe(false)
})

describe('of every letter', () => {
  test('a key is its own key, whatever case and composition it was made of', () => {
    const unlike = [...letters()].filter((letter) => {
      const key = nameKey(letter)
      const forms = [
        key,
        letter.toLowerCase(),
        letter.toUpperCase(),
        letter.normalize('NFD'),
        letter.normalize('NFKC'),
      ]
      return forms.some((form) => nameKey(form) !== key)
    })
    expect(unlike).toEqual([])
  })

  test('what can be seen has a key', () => {
    expect([...letters()].filter((letter) => isVisible(letter) && nameKey(letter) === '')).toEqual([])
  })
})
