import {
  chain,
  chainListItem,
  chainStep,
  createChainRequest,
  createStepRequest,
  elseStepRequest,
  listChainsByTagsQuery,
  listChainsQuery,
  reorderStepsRequest,
  stepParams,
  updateChainRequest,
  updateStepRequest,
} from './chains.ts'
import { idParams } from './common.ts'
import { defineApi } from './endpoint.ts'
import { bulkChainsRequest, bulkEndpoint } from './records/bulk.ts'
import { slugParams } from './slugs.ts'
import { allowCallRequest, sealedStep } from './tools/sealed-step.ts'

const UNCHANGED = '304 when the list still matches `If-None-Match`.'
const STALE = '409 with the current chain as details when the revision is stale.'

export const chainsApi = defineApi('chains', {
  'GET /api/chains': {
    who: 'guest',
    summary: 'The chains that the caller can see, most recently updated first',
    description: `${UNCHANGED} An admin’s list also names chains that only their owners see.`,
    query: listChainsQuery,
    list: chainListItem,
    unchanged: true,
  },
  'GET /api/chains/by-tags': {
    who: 'guest',
    summary: 'The chains with any of the tags, most recently updated first',
    description: UNCHANGED,
    query: listChainsByTagsQuery,
    list: chainListItem,
    unchanged: true,
  },
  'GET /api/chains/{id}': {
    who: 'guest',
    summary: 'One chain with its steps',
    params: idParams,
    reply: chain,
  },
  'GET /api/chains/by-slug/{slug}': {
    who: 'guest',
    summary: 'One chain with its steps, by its current or a former slug',
    params: slugParams,
    reply: chain,
  },
  'POST /api/chains': {
    who: 'user',
    summary: 'Create a chain',
    body: createChainRequest,
    created: chain,
    activity: { kind: 'chain.created', object: 'chain' },
  },
  'PATCH /api/chains/{id}': {
    who: 'user',
    summary: 'Save a chain',
    description: STALE,
    params: idParams,
    body: updateChainRequest,
    reply: chain,
    activity: { kind: 'chain.changed', object: 'chain' },
  },
  'DELETE /api/chains/{id}': {
    who: 'user',
    summary: 'Delete a chain, its steps and its history',
    params: idParams,
    activity: { kind: 'chain.deleted', object: 'chain' },
  },
  'POST /api/chains/bulk': {
    ...bulkEndpoint,
    summary: 'Tag or delete up to 200 chains',
    body: bulkChainsRequest,
    activity: { kind: ['chain.changed', 'chain.deleted'], object: 'chain' },
  },
  'POST /api/chains/{id}/duplicate': {
    who: 'user',
    summary: 'Make your own private copy of a chain',
    description: 'Links to prompts that the caller can’t see are removed; the texts of the steps stay.',
    params: idParams,
    created: chain,
    activity: { kind: 'chain.duplicated', object: 'chain' },
  },
})

export const chainStepsApi = defineApi('chains', {
  'GET /api/chains/{id}/steps/{stepId}': {
    who: 'guest',
    summary: 'One step with its full texts',
    params: stepParams,
    reply: chainStep,
  },
  'POST /api/chains/{id}/steps': {
    who: 'user',
    summary: 'Add a step',
    description: STALE,
    params: idParams,
    body: createStepRequest,
    created: chainStep,
    activity: { kind: 'chain.step_added', object: 'chain' },
  },
  'PATCH /api/chains/{id}/steps/{stepId}': {
    who: 'user',
    summary: 'Save a step',
    description: STALE,
    params: stepParams,
    body: updateStepRequest,
    reply: chainStep,
    activity: { kind: 'chain.step_changed', object: 'chain' },
  },
  'DELETE /api/chains/{id}/steps/{stepId}': {
    who: 'user',
    summary: 'Delete a step',
    params: stepParams,
    activity: { kind: 'chain.step_deleted', object: 'chain' },
  },
  'POST /api/chains/{id}/reorder-steps': {
    who: 'user',
    summary: 'Put the steps in a new order',
    description: `The ids of all steps, each once. ${STALE}`,
    params: idParams,
    body: reorderStepsRequest,
    reply: chain,
    activity: { kind: 'chain.steps_reordered', object: 'chain' },
  },
  'POST /api/chains/{id}/steps/{stepId}/duplicate': {
    who: 'user',
    summary: 'Duplicate a step, right after the original and with its own output name',
    params: stepParams,
    created: chainStep,
    activity: { kind: 'chain.step_duplicated', object: 'chain' },
  },
  'POST /api/chains/{id}/steps/{stepId}/else': {
    who: 'user',
    summary: 'Add a step that runs where another does not, right after it',
    description: `The condition of the new step is the opposite of the other’s, and 409 if that has none. ${STALE}`,
    params: stepParams,
    body: elseStepRequest,
    created: chainStep,
    activity: { kind: 'chain.step_added', object: 'chain' },
  },
  'GET /api/chains/{id}/steps/{stepId}/sealed': {
    who: 'user',
    summary: 'Which sealed parts of a step’s call have a value, and whether the call waits for the owner',
    params: stepParams,
    reply: sealedStep,
    errors: [409],
  },
  'POST /api/chains/{id}/steps/{stepId}/allow': {
    who: 'user',
    summary: 'Allow what somebody else changed of a call with sealed parts',
    description: `Only the owner of the chain may. ${STALE}`,
    params: stepParams,
    body: allowCallRequest,
    reply: sealedStep,
    activity: { kind: 'chain.call_allowed', object: 'chain' },
  },
})
