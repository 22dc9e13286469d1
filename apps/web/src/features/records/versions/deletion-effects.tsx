import type { RecordDependants, RecordKind } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { recordDependantsQuery } from './version-labels.queries.ts'

/** What ends with a prompt or chain that is deleted: always the kinds of things, and how many where one may know. */
export function DeletionEffects({ kind, id }: { kind: RecordKind; id: number }) {
  const { data } = useQuery(recordDependantsQuery({ kind, id }))
  return <span className="mt-2 block">{deletionText({ kind, dependants: data })}</span>
}

export function deletionText({
  kind,
  dependants,
}: {
  kind: RecordKind
  dependants: RecordDependants | undefined
}): string {
  const sentences = kind === 'prompt' ? ofPrompt(dependants) : ofChain(dependants)
  return sentences.filter((sentence) => sentence !== null).join(' ')
}

function ofPrompt(known: RecordDependants | undefined): (string | null)[] {
  const kept = 'Its runs still count in Usage.'
  if (!known)
    return ['Its tests and evaluations will be deleted too. Chains that link to it keep its text.', kept]
  return [
    goes([counted(known.suites, 'test suite'), counted(known.evaluations, 'evaluation')]),
    known.chains > 0
      ? `${counted(known.chains, 'chain')} ${known.chains === 1 ? 'links' : 'link'} to it: the steps keep its text but get no later versions.`
      : null,
    known.tokens > 0 ? `Programs with ${counted(known.tokens, 'token')} can no longer fetch it.` : null,
    kept,
  ]
}

function ofChain(known: RecordDependants | undefined): (string | null)[] {
  const runs = 'Its steps, versions and all runs, including other people’s, will be deleted.'
  if (!known) return [runs, 'Its schedules, tokens, tests and evaluations will be deleted too.']
  const { schedules, tokens, suites, evaluations } = known
  return [
    runs,
    goes([
      counted(schedules, 'schedule'),
      counted(tokens, 'token'),
      counted(suites, 'test suite'),
      counted(evaluations, 'evaluation'),
    ]),
    tokens > 0 ? 'Programs that call it will be refused.' : null,
  ]
}

function goes(things: readonly (string | null)[]): string | null {
  const there = things.filter((thing) => thing !== null)
  if (there.length === 0) return null
  return `${new Intl.ListFormat('en').format(there)} will be deleted too.`
}

function counted(count: number, noun: string): string | null {
  return count === 0 ? null : `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
