import type { ExampleKind, KeptExample } from '@catenary/contracts'

export interface Dependant {
  kind: ExampleKind
  id: number
}

export interface Example extends Dependant {
  name: string
  /** It was saved since it was made. */
  isChanged: boolean
  /** Something needs it that is no record of these kinds: a token, a schedule, a label, a share. */
  isUsed: boolean
  usedBy: Dependant[]
}

/** Nothing is removed that its person changed, or that something which stays needs. */
export function partExamples(examples: readonly Example[]): { going: Example[]; kept: KeptExample[] } {
  const going = new Map(
    examples.filter(({ isChanged, isUsed }) => !isChanged && !isUsed).map((each) => [keyOf(each), each]),
  )
  // Whatever stays may keep another one.
  for (let before = -1; before !== going.size; ) {
    before = going.size
    for (const [key, { usedBy }] of going) {
      if (usedBy.some((dependant) => !going.has(keyOf(dependant)))) going.delete(key)
    }
  }
  const kept = examples
    .filter((each) => !going.has(keyOf(each)))
    .map(({ kind, name, isChanged }) => ({ kind, name, reason: isChanged ? 'changed' : 'used' }) as const)
  return { going: [...going.values()], kept }
}

const keyOf = ({ kind, id }: Dependant) => `${kind} ${id}`
