import { TEST_NAME_MAX } from '@catenary/contracts'
import { type JsonSchema, suggestAssertions } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ChoiceSelect } from '../../components/ui/choice-select.tsx'
import { Field } from '../../components/ui/field.tsx'
import { errorReason } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import { AssertionList } from './assertions/assertion-list.tsx'
import { useAssertionDrafts } from './assertions/use-assertion-drafts.ts'
import { InputField, NameField } from './case-fields.tsx'
import { CaseValues } from './case-values.tsx'
import { SuiteDialog } from './suite-dialog.tsx'
import { type TestedRecord, testSuitesQuery, useCreateSuite, useSaveCase } from './test-suites.queries.ts'
import { type TestedRun, testedRunQuery } from './tested-run.queries.ts'

export interface SaveTestDialogProps {
  record: TestedRecord
  executionId: number
  schema?: JsonSchema | undefined
  onShow: (suiteId: number) => void
  onClose: () => void
}

const NEW = 'new'
const FIRST_NAME = 'Tests'

export default function SaveTestDialog({ executionId, ...props }: SaveTestDialogProps) {
  const { record, onClose } = props
  const { data: run, error } = useQuery(testedRunQuery({ record, id: executionId }))
  useEffect(() => {
    if (!error) return
    toast({ title: 'The run could not be read', description: errorReason(error), variant: 'destructive' })
    onClose()
  }, [error, onClose])
  return run ? <SaveTestForm run={run} {...props} /> : null
}

type SaveTestFormProps = Omit<SaveTestDialogProps, 'executionId'> & { run: TestedRun }

function SaveTestForm({ record, run, schema, onShow, onClose }: SaveTestFormProps) {
  const { data: suites = [], isPending } = useQuery(testSuitesQuery(record))
  const [chosen, setChosen] = useState<string | null>(null)
  const [name, setName] = useState(() => nameOf(run))
  const [values, setValues] = useState<Record<string, string>>({ ...run.values })
  const [input, setInput] = useState(run.input)
  const list = useAssertionDrafts(
    suggestAssertions({ text: run.answer.text, durationMs: run.answer.latencyMs ?? null }),
  )
  const [problem, setProblem] = useState<string | null>(null)
  const create = useCreateSuite(record)
  const save = useSaveCase()
  const suite = chosen ?? String(suites[0]?.id ?? NEW)

  const submit = async () => {
    const assertions = list.read()
    if (assertions === undefined || name.trim() === '') {
      setProblem(name.trim() === '' ? 'Name is required' : null)
      return
    }
    const suiteId = suite === NEW ? (await create.mutateAsync(FIRST_NAME)).id : Number(suite)
    await save.mutateAsync({ suiteId, id: null, body: { name, values, input, assertions } })
    toast({
      title: 'Test saved',
      description: `“${name.trim()}” is in the suite.`,
      action: { label: 'Tests', onPress: () => onShow(suiteId) },
    })
    onClose()
  }
  return (
    <SuiteDialog
      title="Save as test"
      description="Saves the values typed for this run, with what must be true of every answer."
      onSubmit={submit}
      onProblem={setProblem}
      onClose={onClose}
      submitLabel="Save Test"
      pendingLabel="Saving..."
      pending={save.isPending || create.isPending}
      submitDisabled={isPending}
      error={problem}
      className="max-w-[600px]"
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <NameField value={name} onChange={setName} />
        <Field label="Suite">
          <ChoiceSelect
            choices={[
              ...suites
                .filter(({ canEdit }) => canEdit)
                .map(({ id, name }) => ({ value: String(id), label: name })),
              { value: NEW, label: `A new suite, “${FIRST_NAME}”` },
            ]}
            value={suite}
            onChange={setChosen}
          />
        </Field>
      </div>
      <CaseValues names={run.names} values={values} stored={run.stored} onChange={setValues} />
      {run.input !== '' && <InputField record={record} value={input} onChange={setInput} />}
      <AssertionList list={list} grade={null} schema={schema} />
    </SuiteDialog>
  )
}

const NAME_WORDS = 60

function nameOf({ values, input }: TestedRun): string {
  const words = [...Object.values(values), input].map((text) => text.trim().replace(/\s+/g, ' '))
  return (
    words
      .filter((text) => text !== '')
      .map((text) => text.slice(0, NAME_WORDS).toWellFormed())
      .join(' · ')
      .slice(0, TEST_NAME_MAX) || 'A good answer'
  )
}
