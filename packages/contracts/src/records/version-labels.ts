import * as z from 'zod'
import { id, idParam, timestamp } from '../common.ts'
import { listQuery } from '../lists.ts'
import { labelOfRecord, movableLabel, versionNumber } from './labels.ts'

/** Of one record. */
export const LABELS_MAX = 50
export const MOVE_REASON_MAX = 500

const MOVER = 'Username of the person who moved it; null if the account was deleted.'

const versionLabel = labelOfRecord.extend({
  movedBy: z.string().nullable().describe(MOVER),
  movedAt: timestamp,
})
export type VersionLabel = z.infer<typeof versionLabel>

export const WHO_MAY_MOVE = ['editors', 'owners', 'admins'] as const
const whoMayMove = z
  .enum(WHO_MAY_MOVE)
  .describe(
    'editors: everyone who may change the record; owners: its owner, and admins who see it; admins: admins only.',
  )
export type WhoMayMove = z.infer<typeof whoMayMove>

const needsSuite = z
  .boolean()
  .describe('It may only be moved to a version that passed its test suites, unless overridden.')

const LABEL_GROUPS_MAX = 20
const movingGroups = 'Names of groups whose members may also move it, if they may edit the record.'

export const protectedLabel = z.object({
  label: movableLabel,
  whoMayMove,
  groups: z.array(z.string()).describe(`${movingGroups} Sorted.`),
  needsSuite,
})
export type ProtectedLabel = z.infer<typeof protectedLabel>

export const protectLabelRequest = z.strictObject({
  whoMayMove,
  groups: z.array(z.string().trim().min(1).max(100)).max(LABEL_GROUPS_MAX).default([]).describe(movingGroups),
  needsSuite,
})
export type ProtectLabelRequest = z.output<typeof protectLabelRequest>

export const protectedLabelParams = z.strictObject({ label: movableLabel })

export const versionLabels = z.object({
  latest: versionNumber.describe('The newest version, which `latest` points to.'),
  labels: z.array(versionLabel).describe('Sorted by name.'),
  canMove: z.boolean().describe('The caller may move labels that are not protected.'),
  protected: z
    .array(
      protectedLabel.omit({ groups: true }).extend({
        canMove: z.boolean().describe('The caller may move it on this record.'),
        canOverride: z.boolean().describe('The caller may move it past its test suites, with a reason.'),
      }),
    )
    .describe('All protected labels, whether on this record or not, sorted by name.'),
})
export type VersionLabels = z.infer<typeof versionLabels>

/** A step of a chain's version that takes the text that a prompt has when it runs (D47). */
export const currentTextLink = z.object({
  position: z.int().describe('Position of the step, from 0.'),
  title: z.string().describe('Title of the step; may be empty.'),
  promptId: id,
})
export type CurrentTextLink = z.infer<typeof currentTextLink>

export const movedLabels = versionLabels.extend({
  moveId: id.nullable().describe('Id of the move, for undoing it; null: the label was there already.'),
  links: z
    .array(currentTextLink)
    .describe('For a chain: steps that this version does not pin because they use a prompt’s current text.'),
})
export type MovedLabels = z.infer<typeof movedLabels>

export const versionLabelParams = z.strictObject({
  id: idParam.describe('Id of the prompt or chain.'),
  label: movableLabel,
})

const reason = z
  .string()
  .trim()
  .max(MOVE_REASON_MAX, `The reason must be at most ${MOVE_REASON_MAX} characters`)
  .describe('Reason, stored with the move; required for an override.')
const override = z
  .boolean()
  .describe(
    'Move it even though a required test suite has not passed; for the owner and admins, with a reason.',
  )

export const moveLabelRequest = z.strictObject({
  version: versionNumber.describe('Number of the version to move the label to.'),
  expectedVersion: versionNumber
    .nullable()
    .describe('Version that the caller saw the label on; null: none. 409 if it has moved since.'),
  reason: reason.default(''),
  override: override.default(false),
})
export type MoveLabelRequest = z.output<typeof moveLabelRequest>

export const removeLabelQuery = z.strictObject({
  expectedVersion: idParam.describe('Version that the caller saw the label on.'),
  reason: reason.default(''),
})

/** The history is never shortened. */
export const labelMove = z.object({
  id,
  label: movableLabel,
  fromVersion: versionNumber.nullable().describe('null: the label pointed to no version.'),
  toVersion: versionNumber.nullable().describe('null: the label was removed.'),
  movedBy: z.string().nullable().describe(MOVER),
  movedAt: timestamp,
  reason: z.string().describe('May be empty.'),
  override: z.boolean().describe('A required test suite had not passed.'),
  evaluationId: id.nullable().describe('Evaluation that passed; null: none was required or none passed.'),
})
export type LabelMove = z.infer<typeof labelMove>

export const listLabelMovesQuery = listQuery.extend({
  label: movableLabel.optional().describe('Only of this label.'),
  at: timestamp.optional().describe('Live at that time: for each label, the move that put it there.'),
})
export type ListLabelMovesQuery = z.output<typeof listLabelMovesQuery>

export const labelMoveParams = z.strictObject({
  id: idParam.describe('Id of the prompt or chain.'),
  moveId: idParam.describe('Id of a move of one of its labels.'),
})

export const undoMoveRequest = z
  .strictObject({ reason: reason.default(''), override: override.default(false) })
  .nullish()

const askingToken = z.object({
  id,
  name: z.string().describe('Name of the token.'),
  lastUsed: timestamp.nullable().describe('null: never.'),
})

export const labelDependants = z.object({
  chains: z
    .array(
      z.object({
        id,
        name: z.string().describe('Name of the chain.'),
        version: versionNumber
          .nullable()
          .describe('The chain’s version that has the step and one of its labels; null: the current chain.'),
        position: z.int().describe('Position of the step, from 0.'),
        title: z.string().describe('Title of the step; may be empty.'),
      }),
    )
    .describe('Steps that link to a prompt by this label, in chains that the caller sees.'),
  schedules: z
    .array(
      z.object({
        id,
        name: z.string().describe('Name of the schedule.'),
        nextDueAt: timestamp.nullable().describe('null: no run is planned.'),
      }),
    )
    .describe('For a chain: schedules that run it by this label.'),
  tokens: z
    .array(askingToken)
    .describe('For a chain: tokens that run it by this label, shown to people who may change the chain.'),
  readTokens: z
    .array(askingToken)
    .describe('For a prompt: tokens that fetch it, by any label; shown to people who may change it.'),
  hidden: z.int().describe('How many more there are that the caller can’t see.'),
})
export type LabelDependants = z.infer<typeof labelDependants>

export const recordDependants = z.object({
  chains: z.int().describe('For a prompt: chains with a step that links to it; the steps keep its text.'),
  schedules: z.int().describe('For a chain: schedules that run it.'),
  tokens: z.int().describe('For a chain: tokens that call it; for a prompt: tokens that fetch it.'),
  suites: z.int().describe('Its test suites.'),
  evaluations: z.int().describe('Evaluations of it.'),
})
export type RecordDependants = z.infer<typeof recordDependants>

const failingCell = z.object({
  caseName: z.string().describe('Name of the test case.'),
  target: z.string().describe('The target that was tested.'),
  reason: z.string().describe('Why it failed, in a sentence.'),
})

export const failingSuite = z.object({
  suiteId: id,
  name: z.string().describe('Name of the suite.'),
  evaluationId: id.nullable().describe('The evaluation that failed; null: the version has none.'),
  failing: z
    .array(failingCell)
    .describe(
      'The first of its failing cells, except those whose result only the person who ran them sees (D59).',
    ),
})
export type FailingSuite = z.infer<typeof failingSuite>

/** `details` of a refused move or deletion (409). */
export const labelConflict = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('LABEL_MOVED').describe('The label has moved since the caller saw it.'),
    label: movableLabel,
    version: versionNumber.nullable().describe('Version that it points to now; null: none.'),
  }),
  z.object({
    code: z.literal('GATE_CLOSED').describe('A required test suite has not passed.'),
    suites: z.array(failingSuite).describe('Empty: none of the record’s suites was evaluated.'),
    canOverride: z.boolean().describe('The caller may move it anyway, with a reason.'),
  }),
  z.object({
    code: z
      .literal('CURRENT_TEXT_LINKED')
      .describe('A protected label may only point to something that does not change.'),
    links: z.array(currentTextLink).describe('Steps that use a prompt’s current text.'),
  }),
  z.object({
    code: z.literal('LABEL_IN_USE').describe('Something uses the label.'),
    dependants: labelDependants.describe('What uses it.'),
  }),
  z.object({
    code: z.literal('VERSION_IN_USE').describe('The version is current, or something uses it.'),
    labels: z.array(movableLabel).describe('Labels that point to it.'),
  }),
])
export type LabelConflict = z.infer<typeof labelConflict>

export const gateQuery = z.strictObject({ version: idParam.describe('Version to move the label to.') })
export const gateState = z.object({
  needsSuite: z.boolean().describe('The label may only move to a version that passed its test suites.'),
  passed: z.boolean().describe('The suites passed on the version, or none is required.'),
  suites: z.array(failingSuite).describe('Suites that did not pass; empty: no suite was evaluated.'),
  canOverride: z.boolean().describe('The caller may move it anyway, with a reason.'),
})
export type GateState = z.infer<typeof gateState>
