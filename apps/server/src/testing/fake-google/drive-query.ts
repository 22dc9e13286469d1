import type { FakeFile } from './fake-wire.ts'

const TOKEN = /\s*(?:(?<word>[A-Za-z]+)|(?<sign>[()=]|!=)|'(?<text>(?:[^'\\]|\\['\\])*)')/y

interface Token {
  word?: string
  sign?: string
  text?: string
}

/** Whether the file is among the results of `q`; throws for what Drive would refuse. */
export function matchesQuery({ file, query }: { file: FakeFile; query: string }): boolean {
  if (query === '') return true
  const tokens = tokenize(query)
  let at = 0
  const next = (): Token => tokens[at++] ?? {}

  const either = (): boolean => {
    let result = both()
    while (tokens[at]?.word === 'or') {
      at += 1
      // Both sides are parsed, even if the first decides.
      const right = both()
      result = result || right
    }
    return result
  }
  const both = (): boolean => {
    let result = term()
    while (tokens[at]?.word === 'and') {
      at += 1
      const right = term()
      result = result && right
    }
    return result
  }
  const term = (): boolean => {
    if (tokens[at]?.sign !== '(') return comparison()
    at += 1
    const result = either()
    if (next().sign !== ')') throw new Error('Invalid Value')
    return result
  }
  const comparison = (): boolean => {
    const { word: field } = next()
    const { word, sign } = next()
    const value = next()
    const wanted = value.text ?? value.word
    const operator = word ?? sign
    if (wanted === undefined) throw new Error('Invalid Value')
    if (field === 'trashed' && operator === '=') return String(file.trashed ?? false) === wanted
    if (field === 'mimeType' && operator === '=') return file.mimeType === wanted
    if (field === 'mimeType' && operator === '!=') return file.mimeType !== wanted
    if (field === 'mimeType' && operator === 'contains') return file.mimeType.startsWith(wanted)
    if (field === 'name' && operator === 'contains') return hasWord({ name: file.name, start: wanted })
    throw new Error('Invalid Value')
  }

  const result = either()
  if (at !== tokens.length) throw new Error('Invalid Value')
  return result
}

/** `contains` on names finds the beginnings of words. */
function hasWord({ name, start }: { name: string; start: string }): boolean {
  const wanted = start.toLowerCase()
  const lower = name.toLowerCase()
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(lower[at - 1] ?? '')) return true
  }
  return false
}

function tokenize(query: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  const text = query.trimEnd()
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text)?.groups
    if (found === undefined) throw new Error('Invalid Value')
    const quoted = found.text?.replaceAll(/\\(['\\])/g, '$1')
    tokens.push(JSON.parse(JSON.stringify({ word: found.word, sign: found.sign, text: quoted })) as Token)
  }
  return tokens
}
