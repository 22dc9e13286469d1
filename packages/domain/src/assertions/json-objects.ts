import { parse } from 'yaml'

const OBJECT_MAX = 100_000
/** Aliases could make a small text a very large value. */
const READ = { uniqueKeys: false, merge: true, maxAliasCount: 100, stringKeys: true } as const

/** The objects in a text, read as leniently as promptfoo does: with comments, without quotes, and cut ones closed. */
export function* findJsonObjects(text: string): Generator<object> {
  for (let start = text.indexOf('{'); start >= 0; ) {
    const end = objectEnd(text, start)
    const object =
      end === undefined ? undefined : readObject(text.slice(start, end.at) + '}'.repeat(end.open))
    if (object !== undefined) yield object
    start = text.indexOf('{', object !== undefined && end !== undefined ? end.at : start + 1)
  }
}

function objectEnd(text: string, start: number): { at: number; open: number } | undefined {
  const last = Math.min(start + OBJECT_MAX, text.length)
  let open = 1
  for (let at = start + 1; at < last; at++) {
    if (text[at] === '{') open++
    else if (text[at] === '}') open--
    if (open === 0) return { at: at + 1, open: 0 }
  }
  return last > start + 1 ? { at: last, open } : undefined
}

function readObject(source: string): object | undefined {
  try {
    const value: unknown = parse(commentsToHashes(source), READ)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** YAML knows comments that begin with `#`. */
function commentsToHashes(source: string): string {
  return source.split('\n').map(commentToHash).join('\n')
}

function commentToHash(line: string): string {
  let quoted: '"' | "'" | undefined
  for (let at = 0; at < line.length; at++) {
    const character = line[at]
    if (quoted !== undefined) {
      const closes = character === quoted && !isEscaped(line, at)
      if (closes && (quoted === '"' || !isLetter(line[at + 1]))) quoted = undefined
    } else if (character === '"' || (character === "'" && !isLetter(line[at - 1]))) quoted = character
    else if (line.startsWith('//', at) && !wordOf(line, at).includes('://')) {
      const slashes = line.slice(at).match(/^\/+/)?.[0].length ?? 2
      return line.slice(0, at) + '#'.repeat(Math.floor(slashes / 2)) + line.slice(at + slashes)
    }
  }
  return line
}

function wordOf(line: string, at: number): string {
  return line.slice(0, at + 2).match(/\S*$/)?.[0] ?? ''
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[a-zA-Z]/.test(character)
}

function isEscaped(line: string, at: number): boolean {
  return (line.slice(0, at).match(/\\*$/)?.[0].length ?? 0) % 2 === 1
}
