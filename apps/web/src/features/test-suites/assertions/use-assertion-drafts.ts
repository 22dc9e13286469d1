import type { Assertion } from '@catenary/contracts'
import { useState } from 'react'
import { type AssertionDraft, newDraft, readDraft, toDraft } from './assertion-draft.ts'

export function useAssertionDrafts(initial: readonly Assertion[]) {
  const [drafts, setDrafts] = useState(() => initial.map(toDraft))
  const [problems, setProblems] = useState<ReadonlyMap<number, string>>(new Map())
  return {
    drafts,
    problems,
    add: (kind: AssertionDraft['kind']) => setDrafts([...drafts, newDraft(kind)]),
    change: (changed: AssertionDraft) =>
      setDrafts(drafts.map((draft) => (draft.key === changed.key ? changed : draft))),
    remove: (key: number) => setDrafts(drafts.filter((draft) => draft.key !== key)),

    /** Gives up what was typed; gives the new drafts. */
    startFrom(assertions: readonly Assertion[]): AssertionDraft[] {
      const next = assertions.map(toDraft)
      setDrafts(next)
      setProblems(new Map())
      return next
    },

    assertions: (): Assertion[] =>
      drafts.map(readDraft).flatMap((read) => ('assertion' in read ? read.assertion : [])),

    /** All of them; undefined, and each problem shown, where one can't be read. */
    read(): Assertion[] | undefined {
      const found = new Map<number, string>()
      const assertions = drafts.flatMap((draft) => {
        const read = readDraft(draft)
        if ('assertion' in read) return [read.assertion]
        found.set(draft.key, read.problem)
        return []
      })
      setProblems(found)
      return found.size === 0 ? assertions : undefined
    },
  }
}

export type AssertionDrafts = ReturnType<typeof useAssertionDrafts>
