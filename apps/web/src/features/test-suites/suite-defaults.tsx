import type { TestSuite } from '@catenary/contracts'
import { describeAssertion, type JsonSchema } from '@catenary/domain'
import { PencilIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { AssertionList } from './assertions/assertion-list.tsx'
import { useAssertionDrafts } from './assertions/use-assertion-drafts.ts'
import { NotRunList } from './not-run-list.tsx'
import { SuiteDialog } from './suite-dialog.tsx'
import { useUpdateSuite } from './test-suites.queries.ts'

export interface SuiteDefaultsProps {
  suite: TestSuite
  schema: JsonSchema | undefined
}

export function SuiteDefaults({ suite, schema }: SuiteDefaultsProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { assertions, values, threshold, notRun } = suite.defaults
  const kept = [...suite.imported, ...notRun]
  const parts = [
    ...assertions.map(describeAssertion),
    ...Object.entries(values).map(([name, value]) => `${name} = ${value.slice(0, 60)}`),
    ...(threshold === null ? [] : [`passing score ${threshold}`]),
  ]
  return (
    <div className="grid gap-2">
      {(parts.length > 0 || suite.canEdit) && (
        <div className="flex min-w-0 items-center gap-2 text-sm text-text-2">
          <span className="min-w-0 truncate">
            <span className="font-medium text-text">Each test</span>
            {' · '}
            {parts.length > 0 ? parts.join(' · ') : 'has only its own assertions'}
          </span>
          {suite.canEdit && (
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label="Edit shared assertions"
              onClick={() => setIsOpen(true)}
              className="text-text-3"
            >
              <PencilIcon />
            </Button>
          )}
        </div>
      )}
      <NotRunList items={kept} />
      {isOpen && <DefaultsDialog suite={suite} schema={schema} onClose={() => setIsOpen(false)} />}
    </div>
  )
}

function DefaultsDialog({ suite, schema, onClose }: SuiteDefaultsProps & { onClose: () => void }) {
  const [name, setName] = useState(suite.name)
  const list = useAssertionDrafts(suite.defaults.assertions)
  const [before] = useState(() => JSON.stringify([name, list.drafts]))
  const [problem, setProblem] = useState<string | null>(null)
  const update = useUpdateSuite(suite.id)
  const submit = async () => {
    const assertions = list.read()
    if (assertions === undefined) return
    await update.mutateAsync({ name, defaults: { assertions }, revision: suite.revision })
    onClose()
  }
  return (
    <SuiteDialog
      title="Edit suite"
      description="These assertions apply to every test of the suite, before its own."
      onSubmit={submit}
      onProblem={setProblem}
      onClose={onClose}
      submitLabel="Save Changes"
      pendingLabel="Saving..."
      pending={update.isPending}
      error={problem}
      dirty={JSON.stringify([name, list.drafts]) !== before}
      className="max-w-[640px]"
    >
      <Field label="Name">
        <Input autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <AssertionList list={list} grade={null} schema={schema} />
    </SuiteDialog>
  )
}
