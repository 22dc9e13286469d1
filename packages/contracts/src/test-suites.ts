import * as z from 'zod'
import { ASSERTIONS_MAX, assertion, flattenAssertions } from './assertions.ts'
import { id, revision, rights, timestamp } from './common.ts'
import { finishReason } from './installation/models.ts'
import { jsonValue } from './json-value.ts'
import { nameText } from './names.ts'
import { PROMPT_CONTENT_MAX } from './prompts.ts'
import { USER_INPUT_MAX } from './runs/runs.ts'

export const TEST_SUITES_MAX = 50
export const TEST_CASES_MAX = 1000
export const TEST_CASE_BYTES_MAX = 200_000
export const TEST_NAME_MAX = 200
const CASE_TAGS_MAX = 20
const CASE_TAG_MAX = 50
const VALUES_MAX = 200
export const TEST_SUITE_BYTES_MAX = 20_000_000
export const TEST_IMPORT_MAX = 2_000_000

export const VALUE_NAME = /^[A-Za-z0-9_]{1,50}$/

const testName = (what: string) =>
  nameText(`${what} is required`).max(TEST_NAME_MAX, `${what} must be at most ${TEST_NAME_MAX} characters`)

const values = z
  .record(z.string().regex(VALUE_NAME, 'Letters, digits and underscores'), z.string().max(PROMPT_CONTENT_MAX))
  .refine((given) => Object.keys(given).length <= VALUES_MAX, `At most ${VALUES_MAX} values`)
  .describe('Value of each variable in the text.')
const given = z
  .record(z.string().regex(VALUE_NAME, 'Letters, digits and underscores'), z.string().max(PROMPT_CONTENT_MAX))
  .refine((outputs) => Object.keys(outputs).length <= VALUES_MAX, `At most ${VALUES_MAX} outputs`)
  .optional()
  .describe(
    'By output name, what people or a service would have answered to the steps of a chain that ask or call them: a test asks nobody and calls nothing. Absent: nothing.',
  )
const threshold = z
  .number('Must be a number')
  .nullable()
  .describe('Score from which a case passes; null: when every assertion passes.')
const assertions = z
  .array(assertion)
  .refine(
    (list) => list.length + flattenAssertions(list).length <= 2 * ASSERTIONS_MAX,
    `At most ${ASSERTIONS_MAX} assertions`,
  )
  .describe('Assertions about the answer.')

/** A thing of an imported file that is kept and exported again, but does nothing here. */
export const notRunItem = z.strictObject({
  path: z.array(z.union([z.string(), z.int()])).describe('Its path in the test or file.'),
  reason: z.string().nullable().describe('Why it does not run; null: it is only stored, such as a note.'),
  value: jsonValue.describe('Original value.'),
})
export type NotRunItem = z.infer<typeof notRunItem>

const defaults = z
  .object({
    values,
    assertions,
    threshold,
    notRun: z.array(notRunItem).describe('Stored, but not run.'),
  })
  .describe('Defaults for each case; their assertions come before the case’s own.')

export const testCase = z.object({
  id,
  position: z.int().describe('Sort order of the cases.'),
  name: z.string().describe('Description of the case.'),
  input: z.string().describe('Text added after the prompt, or the chain’s input.'),
  values,
  tags: z.array(z.string()).describe('Tags for finding it.'),
  assertions,
  threshold,
  skipsDefaults: z.boolean().describe('The suite’s own assertions don’t apply to it.'),
  given,
  notRun: z.array(notRunItem).describe('Stored, but not run.'),
  revision,
})
export type TestCase = z.infer<typeof testCase>

export const listedTestSuite = z.object({
  id,
  promptId: id.nullable().describe('Id of its prompt; null: it belongs to a chain.'),
  chainId: id.nullable().describe('Id of its chain; null: it belongs to a prompt.'),
  name: z.string().describe('Name shown in lists.'),
  caseCount: z.int().describe('How many cases it has.'),
  notRunCount: z.int().describe('How many parts of it are stored, but not run.'),
  revision,
  createdAt: timestamp,
  updatedAt: timestamp,
  canEdit: rights.canEdit,
})
export type ListedTestSuite = z.infer<typeof listedTestSuite>

export const testSuite = listedTestSuite.extend({
  defaults,
  imported: z
    .array(notRunItem)
    .describe('What an imported file contained besides its tests; it is exported again.'),
})
export type TestSuite = z.infer<typeof testSuite>

const staleRefused = revision
  .optional()
  .describe('Revision of the suite that was edited; a stale one is refused with 409 (D16).')

export const createTestSuiteRequest = z.strictObject({ name: testName('Name').describe('Trimmed.') })

export const updateTestSuiteRequest = z.strictObject({
  name: testName('Name').optional().describe('Trimmed.'),
  defaults: z
    .strictObject({ values, assertions, threshold })
    .partial()
    .optional()
    .describe('Defaults for each case.'),
  revision: staleRefused,
})
export type UpdateTestSuiteRequest = z.infer<typeof updateTestSuiteRequest>

const caseFields = {
  name: testName('Name').describe('Trimmed.'),
  input: z.string().max(USER_INPUT_MAX).describe('Text added after the prompt, or the chain’s input.'),
  values,
  tags: z
    .array(
      nameText('A tag needs a name').max(CASE_TAG_MAX, `A tag can have at most ${CASE_TAG_MAX} characters`),
    )
    .max(CASE_TAGS_MAX, `At most ${CASE_TAGS_MAX} tags`)
    .describe('Tags for finding it.'),
  assertions,
  threshold,
  skipsDefaults: z.boolean().describe('The suite’s own assertions don’t apply to it.'),
  given,
}

function fits(fields: object): boolean {
  return new TextEncoder().encode(JSON.stringify(fields)).length <= TEST_CASE_BYTES_MAX
}
const TOO_LARGE = `A case can be at most ${TEST_CASE_BYTES_MAX / 1000} kB`

export const createTestCaseRequest = z
  .strictObject({
    name: caseFields.name,
    input: caseFields.input.default(''),
    values: caseFields.values.default({}),
    tags: caseFields.tags.default([]),
    assertions: caseFields.assertions.default([]),
    threshold: caseFields.threshold.default(null),
    skipsDefaults: caseFields.skipsDefaults.default(false),
    given: caseFields.given,
    revision: staleRefused,
  })
  .refine(fits, TOO_LARGE)
export type CreateTestCaseRequest = z.input<typeof createTestCaseRequest>

export const updateTestCaseRequest = z
  .strictObject({
    ...caseFields,
    revision: revision.describe(
      'Revision of the case that was edited; a stale one is refused with 409 (D16).',
    ),
  })
  .partial()
  .refine(fits, TOO_LARGE)
export type UpdateTestCaseRequest = z.infer<typeof updateTestCaseRequest>

/** Every case once, in the new order. */
export const reorderCasesRequest = z.strictObject({
  caseIds: z.array(id).max(TEST_CASES_MAX).describe('Ids of all cases of the suite, each once.'),
  revision: staleRefused,
})

export const IMPORT_FORMATS = ['promptfoo', 'csv'] as const

export const importTestSuiteRequest = z.strictObject({
  format: z
    .enum(IMPORT_FORMATS)
    .describe('promptfoo: its YAML or JSON; csv: one column per value, with `__expected` columns.'),
  text: z
    .string()
    .min(1, 'The file is empty')
    .max(TEST_IMPORT_MAX, `A file can be at most ${TEST_IMPORT_MAX / 1_000_000} MB`)
    .describe('The file.'),
  name: testName('Name').optional().describe('Name of the suite; default: the file’s description.'),
  dryRun: z.boolean().default(false).describe('Only report what the import would do.'),
})
export type ImportTestSuiteRequest = z.input<typeof importTestSuiteRequest>

export const importReport = z.object({
  name: z.string().describe('Name of the suite.'),
  caseCount: z.int().describe('Cases that the import creates.'),
  assertionCount: z.int().describe('Assertions that run here.'),
  notRun: z
    .array(
      z.object({
        at: z.string().describe('Its path in the file.'),
        reason: z.string().describe('Why it does not run.'),
      }),
    )
    .describe('One entry for each part that is stored, but not run.'),
  notRunCount: z.int().describe('How many such parts there are; the list ends at 200.'),
  suite: testSuite.nullable().describe('The suite that was created; null: a dry run.'),
})
export type ImportReport = z.infer<typeof importReport>

export const gradedAnswer = z.strictObject({
  text: z.string().max(10_000_000).describe('The answer.'),
  latencyMs: z.number().nullable().default(null).describe('How long it took; null: unknown.'),
  costUsd: z.number().nullable().default(null).describe('What it cost; null: unknown.'),
  finishReason: finishReason.nullable().default(null).describe('Why the model stopped; null: unknown.'),
})
export type GradedAnswer = z.output<typeof gradedAnswer>

export const gradeRequest = z.strictObject({
  assertions,
  threshold: threshold.default(null),
  values: values.default({}),
  answer: gradedAnswer.describe('The answer to grade.'),
})
export type GradeRequest = z.input<typeof gradeRequest>
