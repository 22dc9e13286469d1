import type { CaseGrade, GradeRequest, TestCase, TestSuite } from '@catenary/contracts'
import type { JsonSchema } from '@catenary/domain'
import { CheckIcon, MinusIcon, XIcon } from 'lucide-react'
import { useState } from 'react'
import { ConflictPanel } from '../../components/forms/conflict-panel.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { SwitchField } from '../../components/forms/switch-field.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { errorReason } from '../../lib/errors.ts'
import { NumberInput } from './assertions/assertion-fields.tsx'
import { AssertionList } from './assertions/assertion-list.tsx'
import { InputField, NameField } from './case-fields.tsx'
import { CaseValues } from './case-values.tsx'
import { NotRunList } from './not-run-list.tsx'
import { type TestedRecord, useGrade } from './test-suites.queries.ts'
import { type LastAnswer, readLastAnswer } from './tested-run.queries.ts'
import { useCaseForm } from './use-case-form.ts'

const LOOKS = {
  passed: { Icon: CheckIcon, variant: 'ok', word: 'It passes' },
  failed: { Icon: XIcon, variant: 'danger', word: 'It fails' },
  'not-run': { Icon: MinusIcon, variant: 'warn', word: 'Nothing ran' },
} as const

/** Answers that a test gives, as it asks nobody and calls nothing: without one it is not run. */
interface GivenAnswers {
  label: string
  placeholder: string
  /** Outputs of the steps that would take them. */
  names: readonly string[]
}

export interface TestedText {
  names: readonly string[]
  takesInput: boolean
  /** By kind of step. */
  given?: readonly GivenAnswers[]
  schema?: JsonSchema | undefined
}

export interface CaseDialogProps {
  record: TestedRecord
  tested: TestedText
  suite: TestSuite
  testCase: TestCase | null
  canEdit: boolean
  onClose: () => void
}

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
      onClose={onClose}
      title={testCase === null ? 'New test' : canEdit ? 'Edit test' : 'Test'}
      onSubmit={() => void form.submit()}
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
      {givenOf(tested, fields.given).map((answers) => (
        <CaseValues
          key={answers.label}
          {...answers}
          values={fields.given}
          onChange={(given) => change({ given })}
        />
      ))}
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

/** Those of the chain's steps, and what was given to others before. */
function givenOf({ given = [] }: TestedText, values: Readonly<Record<string, string>>): GivenAnswers[] {
  const known = new Set(given.flatMap(({ names }) => names))
  const others = Object.keys(values).filter((name) => !known.has(name))
  const past = { label: 'Given to other steps', placeholder: 'Nothing', names: others }
  return [...given, past].filter(({ names }) => names.length > 0)
}

function TryResult({ trial: { grade, answer, problem } }: { trial: Trial }) {
  if (problem !== null) return <Banner role="alert">{problem}</Banner>
  if (grade === null || answer === null) return null
  const { Icon, variant, word } = LOOKS[grade.verdict]
  return (
    <div role="status" className="grid gap-2">
      <Banner variant={variant} icon={<Icon />}>
        {word}: {grade.reason} <span className="text-text-3">· score {grade.score.toFixed(2)}</span>
      </Banner>
      <p
        dir="auto"
        className="line-clamp-3 rounded-control bg-inset px-3 py-2 text-xs whitespace-pre-wrap text-text-2"
      >
        {answer.text}
      </p>
    </div>
  )
}

function useTry(record: TestedRecord) {
  const { mutateAsync, isPending } = useGrade()
  const [tried, setTried] = useState<{ grade: CaseGrade; answer: LastAnswer } | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  return {
    isPending,
    problem,
    grade: tried?.grade ?? null,
    answer: tried?.answer ?? null,
    async run(graded: Omit<GradeRequest, 'answer'>): Promise<void> {
      try {
        const answer = await readLastAnswer(record)
        setTried(answer && { answer, grade: await mutateAsync({ ...graded, answer }) })
        setProblem(answer === null ? `You have no answer from this ${record.kind} yet. Run it once.` : null)
      } catch (error) {
        setProblem(errorReason(error))
      }
    },
  }
}

type Trial = ReturnType<typeof useTry>
