import * as z from 'zod'
import { idParams } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import {
  gateQuery,
  gateState,
  labelDependants,
  labelMove,
  labelMoveParams,
  listLabelMovesQuery,
  movedLabels,
  moveLabelRequest,
  protectedLabel,
  protectedLabelParams,
  protectLabelRequest,
  recordDependants,
  removeLabelQuery,
  undoMoveRequest,
  versionLabelParams,
  versionLabels,
} from './version-labels.ts'

const MOVERS =
  'For people who may change the record, of a protected label for whom its rule names. 409 `LABEL_MOVED` where'
const NOT_SEEN = `${MOVERS} the label is not where \`expectedVersion\` says`

/** Of prompts and of chains alike. */
const labelEndpoints = () =>
  ({
    list: {
      who: 'guest',
      summary: 'Which labels point to which versions',
      params: idParams,
      reply: versionLabels,
    },
    move: {
      who: 'user',
      summary: 'Let a label point to a version',
      description: `${NOT_SEEN}, \`GATE_CLOSED\` with the failing cells where a protected label needs a test suite that has not passed.`,
      params: versionLabelParams,
      body: moveLabelRequest,
      reply: movedLabels,
    },
    remove: {
      who: 'user',
      summary: 'Take a label away',
      description: `${NOT_SEEN}, \`LABEL_IN_USE\` while something asks for it.`,
      params: versionLabelParams,
      query: removeLabelQuery,
      reply: movedLabels,
    },
    gate: {
      who: 'user',
      summary: 'What test suites say to a move of a label',
      description: 'The move asks them again.',
      params: versionLabelParams,
      query: gateQuery,
      reply: gateState,
    },
    dependants: {
      who: 'guest',
      summary: 'What asks for a label',
      params: versionLabelParams,
      reply: labelDependants,
    },
    recordDependants: {
      who: 'user',
      summary: 'How much would end with it',
      description: 'For people who may change it.',
      params: idParams,
      reply: recordDependants,
    },
    moves: {
      who: 'guest',
      summary: 'Every move of the labels, newest first, or what was live at a time',
      params: idParams,
      query: listLabelMovesQuery,
      list: labelMove,
    },
    undo: {
      who: 'user',
      summary: 'Move a label back to where its last move took it from',
      description: `${MOVERS} the label is not where this move put it; the gate of a protected label holds here too.`,
      params: labelMoveParams,
      body: undoMoveRequest,
      reply: movedLabels,
    },
  }) as const
export type LabelEndpoints = ReturnType<typeof labelEndpoints>

// A call that stands in a table by itself is left out of the web app with it; a member of what a call returns is not.
/* @__NO_SIDE_EFFECTS__ */
function labels<Name extends keyof LabelEndpoints>(name: Name): LabelEndpoints[Name] {
  return labelEndpoints()[name]
}

export const promptLabelsApi = defineApi('prompts', {
  'GET /api/prompts/{id}/labels': labels('list'),
  'PUT /api/prompts/{id}/labels/{label}': labels('move'),
  'DELETE /api/prompts/{id}/labels/{label}': labels('remove'),
  'GET /api/prompts/{id}/labels/{label}/gate': labels('gate'),
  'GET /api/prompts/{id}/labels/{label}/dependants': labels('dependants'),
  'GET /api/prompts/{id}/dependants': labels('recordDependants'),
  'GET /api/prompts/{id}/label-moves': labels('moves'),
  'POST /api/prompts/{id}/label-moves/{moveId}/undo': labels('undo'),
})

export const chainLabelsApi = defineApi('chains', {
  'GET /api/chains/{id}/labels': labels('list'),
  'PUT /api/chains/{id}/labels/{label}': labels('move'),
  'DELETE /api/chains/{id}/labels/{label}': labels('remove'),
  'GET /api/chains/{id}/labels/{label}/gate': labels('gate'),
  'GET /api/chains/{id}/labels/{label}/dependants': labels('dependants'),
  'GET /api/chains/{id}/dependants': labels('recordDependants'),
  'GET /api/chains/{id}/label-moves': labels('moves'),
  'POST /api/chains/{id}/label-moves/{moveId}/undo': labels('undo'),
})

export const protectedLabelList = z.array(protectedLabel)

export const protectedLabelsApi = defineApi('admin', {
  'GET /api/admin/protected-labels': {
    who: 'admin',
    summary: 'The protected labels, by name',
    reply: protectedLabelList,
  },
  'PUT /api/admin/protected-labels/{label}': {
    who: 'admin',
    summary: 'Protect a label, on every prompt and chain',
    description: 'Where it is already it stays.',
    params: protectedLabelParams,
    body: protectLabelRequest,
    reply: protectedLabelList,
  },
  'DELETE /api/admin/protected-labels/{label}': {
    who: 'admin',
    summary: 'Protect a label no longer',
    params: protectedLabelParams,
  },
})
