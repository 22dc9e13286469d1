import { tokenizeTemplate } from './tokenize.ts'

export function renameVariable({ source, from, to }: { source: string; from: string; to: string }): string {
  const wanted = from.toLowerCase()
  return tokenizeTemplate(source)
    .map((token) => (token.kind !== 'text' && token.name.toLowerCase() === wanted ? `$<${to}>` : token.raw))
    .join('')
}
