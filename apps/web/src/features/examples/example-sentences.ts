import type { ExampleCounts, KeptExample } from '@catenary/contracts'

const NAMED = 3

export function keptSentence(kept: readonly KeptExample[]): string | undefined {
  if (kept.length === 0) return undefined
  const changed = kept.filter(({ reason }) => reason === 'changed')
  const used = kept.filter(({ reason }) => reason === 'used')
  const parts = [
    ...(changed.length > 0 ? [`${changed.length} you changed (${namesOf(changed)})`] : []),
    ...(used.length > 0 ? [`${used.length} still in use (${namesOf(used)})`] : []),
  ]
  return `${kept.length} ${kept.length === 1 ? 'stays' : 'stay'}: ${parts.join(', and ')}.`
}

function namesOf(kept: readonly KeptExample[]): string {
  const names = kept.slice(0, NAMED).map(({ kind, name }) => (kind === 'variable' ? `$<${name}>` : name))
  return [...names, ...(kept.length > NAMED ? ['…'] : [])].join(', ')
}

export function countSentence({ prompts, chains, variables, suites }: ExampleCounts): string {
  const counted: [number, string][] = [
    [prompts, 'prompt'],
    [chains, 'chain'],
    [variables, 'variable'],
    [suites, 'suite'],
  ]
  return counted
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`)
    .join(', ')
}
