import { type CreateTestCaseRequest, type TestCase, testCase as testCaseSchema } from '@catenary/contracts'
import { describeAssertion } from '@catenary/domain'
import { useState } from 'react'
import { type ConflictRows, differencesBetween } from '../../components/forms/conflict-rows.ts'
import { conflictOf, errorReason } from '../../lib/errors.ts'
import { numberOf, numberProblem, numberText, readyNumberOf } from '../../lib/text/number-of.ts'
import { useAssertionDrafts } from './assertions/use-assertion-drafts.ts'
import { useSaveCase } from './test-suites.queries.ts'

interface CaseFormOptions {
  suiteId: number
  testCase: TestCase | null
  onClose: () => void
}

export function useCaseForm({ suiteId, testCase, onClose }: CaseFormOptions) {
  // What it is saved over: the list behind may show something newer by then.
  const [base, setBase] = useState(testCase)
  const [fields, setFields] = useState(() => fieldsOf(testCase))
  const list = useAssertionDrafts(testCase?.assertions ?? [])
  const [before, setBefore] = useState(() => JSON.stringify([fields, list.drafts]))
  const [problem, setProblem] = useState<string | null>(null)
  const [conflict, setConflict] = useState<TestCase | null>(null)
  const save = useSaveCase()

  const submitOver = async (over: TestCase | null) => {
    const assertions = list.read()
    const refusal = fields.name.trim() === '' ? 'Name is required' : scoreProblem(fields.threshold)
    if (assertions === undefined || refusal !== undefined) {
      setProblem(refusal ?? null)
      return
    }
    setConflict(null)
    try {
      const body = {
        ...bodyOf(fields, assertions),
        // What is left out stays as it was.
        ...(over?.given && { given: fields.given }),
        ...(over && { revision: over.revision }),
      }
      await save.mutateAsync({ suiteId, id: over?.id ?? null, body })
      onClose()
    } catch (error) {
      const theirs = over && conflictOf({ error, schema: testCaseSchema })
      if (theirs) setConflict(theirs)
      else setProblem(errorReason(error))
    }
  }
  const keepMine = (theirs: TestCase) => {
    setBase(theirs)
    void submitOver(theirs)
  }
  const take = (theirs: TestCase) => {
    setBase(theirs)
    setFields(fieldsOf(theirs))
    setBefore(JSON.stringify([fieldsOf(theirs), list.startFrom(theirs.assertions)]))
    setConflict(null)
    setProblem(null)
  }

  return {
    fields,
    list,
    change: (changed: Partial<CaseForm>) => setFields({ ...fields, ...changed }),
    threshold: readyNumberOf(fields.threshold) ?? null,
    isDirty: JSON.stringify([fields, list.drafts]) !== before,
    isSaving: save.isPending,
    problem,
    submit: () => submitOver(base),
    conflict: conflict && {
      noun: 'test',
      differences: differencesBetween({
        rows: ROWS,
        mine: { ...fields, assertions: wordsOf(list.assertions()) },
        theirs: { ...fieldsOf(conflict), assertions: wordsOf(conflict.assertions) },
      }),
      onKeepMine: () => keepMine(conflict),
      onTakeTheirs: () => take(conflict),
    },
  }
}

type CaseForm = ReturnType<typeof fieldsOf>

const ROWS: ConflictRows<CaseForm & { assertions: string }> = {
  name: 'Name',
  tags: 'Tags',
  values: {
    label: 'Values',
    show: ({ values }) => pairsOf(values),
  },
  input: 'Input',
  given: { label: 'What people and services would answer', show: ({ given }) => pairsOf(given) },
  assertions: 'Assertions',
  threshold: 'Passing score',
  skipsDefaults: {
    label: 'Ignore the suite’s assertions',
    show: ({ skipsDefaults }) => (skipsDefaults ? 'Yes' : 'No'),
  },
}

const pairsOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} = ${value}`)
    .toSorted()
    .join('\n')

const wordsOf = (assertions: TestCase['assertions']): string => assertions.map(describeAssertion).join('\n')

function fieldsOf(testCase: TestCase | null) {
  const { name = '', input = '', values = {}, given = {}, tags = [], skipsDefaults = false } = testCase ?? {}
  const threshold = numberText(testCase?.threshold)
  return { name, input, values, given, tags: tags.join(', '), threshold, skipsDefaults }
}

function bodyOf(
  { tags, threshold, given, ...fields }: CaseForm,
  assertions: CreateTestCaseRequest['assertions'],
): CreateTestCaseRequest {
  const named = tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  const isGiven = Object.keys(given).length > 0
  return { ...fields, ...(isGiven && { given }), tags: named, threshold: numberOf(threshold), assertions }
}

function scoreProblem(threshold: string): string | undefined {
  if (!Number.isNaN(numberOf(threshold))) return undefined
  return numberProblem(threshold) ?? 'The passing score is a number, such as 0.8'
}
