import { tokenizeTemplate } from './tokenize.ts'

export function renameVariable({ source, from, to }: { source: string; from: string; to: string }): string {
  return replaceVariable({ source, name: from, by: `$<${to}>` })
}

/** Names don't regard case. */
export function replaceVariable({ source, name, by }: { source: string; name: string; by: string }): string {
  const wanted = name.toLowerCase()
  return tokenizeTemplate(source)
    .map((token) => (token.kind !== 'text' && token.name.toLowerCase() === wanted ? by : token.raw))
    .join('')
}
