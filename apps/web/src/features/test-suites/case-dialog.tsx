import type { TestCase, TestSuite } from '@catenary/contracts'
import type { JsonSchema } from '@catenary/domain'
import { ConflictPanel } from '../../components/forms/conflict-panel.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { SwitchField } from '../../components/forms/switch-field.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { NumberInput } from './assertions/assertion-fields.tsx'
import { AssertionList } from './assertions/assertion-list.tsx'
import { InputField, NameField } from './case-fields.tsx'
import { CaseValues } from './case-values.tsx'
import { NotRunList } from './not-run-list.tsx'
import type { TestedRecord } from './test-suites.queries.ts'
import { TryResult } from './try-result.tsx'
import { useCaseForm } from './use-case-form.ts'
import { useTry } from './use-try.ts'

export interface TestedText {
  /** Names that it refers to. */
  names: readonly string[]
  /** It takes an input beside them. */
  takesInput: boolean
  /** Of its answers, where they are JSON. */
  schema?: JsonSchema | undefined
}

export interface CaseDialogProps {
  record: TestedRecord
  tested: TestedText
  suite: TestSuite
  /** null makes one. */
  testCase: TestCase | null
  canEdit: boolean
  onClose: () => void
}

/** A case: what the prompt or chain is given, and what must be true of its answer. */
export function CaseDialog({ record, tested, suite, testCase, canEdit, onClose }: CaseDialogProps) {
  const form = useCaseForm({ suiteId: suite.id, testCase, onClose })
  const { fields, list, change } = form
  const trial = useTry(record)
  const others = Object.keys(fields.values).filter((name) => !tested.names.includes(name))
  const shared = fields.skipsDefaults ? [] : suite.defaults.assertions

  const tryIt = () => {
    const assertions = list.read()
    if (assertions === undefined) return
    const values = { ...suite.defaults.values, ...fields.values }
    const threshold = form.threshold ?? suite.defaults.threshold
    void trial.run({ assertions: [...assertions, ...shared], values, threshold })
  }
  return (
    <FormDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={testCase === null ? 'New test' : canEdit ? 'Edit test' : 'Test'}
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
      submitLabel={testCase === null ? 'Add Test' : 'Save Changes'}
      pendingLabel="Saving..."
      pending={form.isSaving}
      submitDisabled={!canEdit}
      error={form.problem}
      dirty={canEdit && form.isDirty}
      footerStart={
        <Button variant="ghost" pending={trial.isPending} onClick={tryIt}>
          Try it on the last answer
        </Button>
      }
      className="max-w-[640px]"
    >
      {form.conflict && <ConflictPanel {...form.conflict} pending={form.isSaving} />}
      <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <NameField value={fields.name} onChange={(name) => change({ name })} />
        <Field label="Tags">
          <Input
            autoComplete="off"
            placeholder="tone, launch"
            value={fields.tags}
            onChange={(event) => change({ tags: event.target.value })}
          />
        </Field>
      </div>
      <CaseValues
        names={[...tested.names, ...others]}
        values={fields.values}
        onChange={(values) => change({ values })}
      />
      {(tested.takesInput || fields.input !== '') && (
        <InputField record={record} value={fields.input} onChange={(input) => change({ input })} />
      )}
      <AssertionList list={list} grade={trial.grade} schema={tested.schema} />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <div className="flex items-center gap-2 text-sm">
          Passing score
          <NumberInput
            label="Passing score"
            placeholder="all"
            value={fields.threshold}
            onChange={(threshold) => change({ threshold })}
          />
        </div>
        {suite.defaults.assertions.length > 0 && (
          <SwitchField
            label="Ignore the suite’s assertions"
            checked={fields.skipsDefaults}
            onChange={(skipsDefaults) => change({ skipsDefaults })}
          />
        )}
      </div>
      <NotRunList items={testCase?.notRun ?? []} />
      <TryResult trial={trial} />
    </FormDialog>
  )
}
