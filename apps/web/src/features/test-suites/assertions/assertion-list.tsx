import type { CaseGrade } from '@catenary/contracts'
import type { JsonSchema } from '@catenary/domain'
import { AddAssertion } from './add-assertion.tsx'
import { AssertionEditor } from './assertion-editor.tsx'
import { AnswerSchema } from './path-field.tsx'
import type { AssertionDrafts } from './use-assertion-drafts.ts'

export interface AssertionListProps {
  list: AssertionDrafts
  grade: CaseGrade | null
  schema: JsonSchema | undefined
}

export function AssertionList({ list, grade, schema }: AssertionListProps) {
  return (
    <section aria-label="Assertions" className="grid gap-2">
      <h3 className="text-sm font-medium">Assertions</h3>
      {list.drafts.length === 0 && (
        <p className="text-sm text-text-3">
          What must be true of each answer? Without one, any answer passes.
        </p>
      )}
      <AnswerSchema value={schema}>
        <ul className="grid gap-2">
          {list.drafts.map((draft, index) => (
            <AssertionEditor
              key={draft.key}
              index={index}
              draft={draft}
              problem={list.problems.get(draft.key)}
              result={grade?.results[index]}
              onChange={list.change}
              onRemove={() => list.remove(draft.key)}
            />
          ))}
        </ul>
      </AnswerSchema>
      <AddAssertion onAdd={list.add} />
    </section>
  )
}
