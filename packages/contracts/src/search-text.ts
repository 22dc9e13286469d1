import { foldCase, INVISIBLE, SPACES } from './names.ts'

const PLAIN = /^[\x20-\x7e\n\t]*$/
/** Accents and other marks on letters of any script; without those of Japanese, which make another sound of a sign. */
const MARKS = /(?![\u3099\u309a])(?=\p{Script=Inherited})\p{Mn}/gu
const LETTERS: Record<string, string> = {
  æ: 'ae',
  ð: 'd',
  ø: 'o',
  þ: 'th',
  đ: 'd',
  ħ: 'h',
  ł: 'l',
  œ: 'oe',
  ŧ: 't',
}
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

function foldLetters(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  return foldCase(text.normalize('NFKC'))
    .normalize('NFD')
    .replace(MARKS, '')
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKC')
    .replace(INVISIBLE, '')
}

/** A text as search reads it: without case and accents, spaces alike (D74). */
export function searchText(text: string): string {
  return foldLetters(text).replace(SPACES, ' ').trim()
}

/** Each word counts by itself, in any order; words that are part of another are left out. */
export function searchWords(search: string): string[] {
  const words = [...new Set(searchText(search).split(' '))].filter((word) => word !== '')
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)))
}

export function isFound(text: string, search: string): boolean {
  const read = searchText(text)
  return searchWords(search).every((word) => read.includes(word))
}
