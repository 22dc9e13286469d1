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
  'For people who may change the record or, if the label is protected, those whom its rule allows. 409 `LABEL_MOVED` if'
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
      summary: 'Move a label to a version',
      description: `${NOT_SEEN}, \`GATE_CLOSED\` with the failing cells where a protected label needs a test suite that has not passed.`,
      params: versionLabelParams,
      body: moveLabelRequest,
      reply: movedLabels,
      activity: { kind: 'label.moved', object: ['prompt', 'chain'] },
    },
    remove: {
      who: 'user',
      summary: 'Remove a label',
      description: `${NOT_SEEN}, \`LABEL_IN_USE\` while something uses it.`,
      params: versionLabelParams,
      query: removeLabelQuery,
      reply: movedLabels,
      activity: { kind: 'label.moved', object: ['prompt', 'chain'] },
    },
    gate: {
      who: 'user',
      summary: 'Preview the release gate for a label',
      description: 'The move itself checks again.',
      params: versionLabelParams,
      query: gateQuery,
      reply: gateState,
    },
    dependants: {
      who: 'guest',
      summary: 'What uses a label',
      params: versionLabelParams,
      reply: labelDependants,
    },
    recordDependants: {
      who: 'user',
      summary: 'Count what depends on it',
      description: 'For people who may change it.',
      params: idParams,
      reply: recordDependants,
    },
    moves: {
      who: 'guest',
      summary: 'Every move of the labels, newest first, or what was live at a given time',
      params: idParams,
      query: listLabelMovesQuery,
      list: labelMove,
    },
    undo: {
      who: 'user',
      summary: 'Undo the last move of a label',
      description: `${MOVERS} the label is not where this move put it; the gate of a protected label holds here too.`,
      params: labelMoveParams,
      body: undoMoveRequest,
      reply: movedLabels,
      activity: { kind: 'label.moved', object: ['prompt', 'chain'] },
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
    description: 'If it is already protected, it keeps its rule.',
    params: protectedLabelParams,
    body: protectLabelRequest,
    reply: protectedLabelList,
    activity: { kind: 'label.protected', object: 'label' },
  },
  'DELETE /api/admin/protected-labels/{label}': {
    who: 'admin',
    summary: 'Stop protecting a label',
    params: protectedLabelParams,
    activity: { kind: 'label.unprotected', object: 'label' },
  },
})
