import * as z from 'zod'
import { idParams } from '../common.ts'
import { defineApi } from '../endpoint.ts'

export const SHARED_NAMES_MAX = 200

const name = z
  .string()
  .regex(/^[A-Za-z0-9_]{1,50}$/, 'A name has letters, digits and underscores')
  .transform((text) => text.toLowerCase())

const shareRunsRequest = z.strictObject({
  names: z
    .array(name)
    .max(SHARED_NAMES_MAX, `At most ${SHARED_NAMES_MAX} names`)
    .describe(
      'Private variables that it covers. A run that used another one is not shared until that name is added.',
    ),
})
export type ShareRunsRequest = z.output<typeof shareRunsRequest>

export const runShare = z.object({
  isShared: z.boolean().describe('The caller shares their runs of it.'),
  names: z.array(z.string()).describe('Private variables that it covers, in lower case.'),
  privateNames: z
    .array(z.string())
    .describe(
      'The caller’s private variables that its text names or their latest runs of it used, in lower case.',
    ),
})
export type RunShare = z.infer<typeof runShare>

export const runSharesApi = defineApi('executions', {
  'PUT /api/executions/{id}/share': {
    who: 'user',
    summary: 'Share one of your runs with everyone who sees its chain or prompt',
    description: 'Shares the run as it ended; resuming it ends the sharing.',
    params: idParams,
    errors: [409],
    activity: { kind: 'run.shared', object: 'run' },
  },
  'DELETE /api/executions/{id}/share': {
    who: 'user',
    summary: 'Stop sharing a run',
    params: idParams,
    activity: { kind: 'run.share_ended', object: 'run' },
  },
})

const COVERS = 'Applies to earlier and later runs that used no private variables other than those listed.'

export const chainRunSharesApi = defineApi('chains', {
  'GET /api/chains/{id}/run-share': {
    who: 'user',
    summary: 'Whether you share your runs of the chain',
    params: idParams,
    reply: runShare,
  },
  'PUT /api/chains/{id}/run-share': {
    who: 'user',
    summary: 'Share your runs of the chain with everyone who sees it',
    description: COVERS,
    params: idParams,
    body: shareRunsRequest,
    reply: runShare,
    activity: { kind: 'chain.runs_shared', object: 'chain' },
  },
  'DELETE /api/chains/{id}/run-share': {
    who: 'user',
    summary: 'Stop sharing your runs of the chain',
    params: idParams,
    activity: { kind: 'chain.run_share_ended', object: 'chain' },
  },
})

export const promptRunSharesApi = defineApi('prompts', {
  'GET /api/prompts/{id}/run-share': {
    who: 'user',
    summary: 'Whether you share your runs of the prompt',
    params: idParams,
    reply: runShare,
  },
  'PUT /api/prompts/{id}/run-share': {
    who: 'user',
    summary: 'Share your runs of the prompt with everyone who sees it',
    description: COVERS,
    params: idParams,
    body: shareRunsRequest,
    reply: runShare,
    activity: { kind: 'prompt.runs_shared', object: 'prompt' },
  },
  'DELETE /api/prompts/{id}/run-share': {
    who: 'user',
    summary: 'Stop sharing your runs of the prompt',
    params: idParams,
    activity: { kind: 'prompt.run_share_ended', object: 'prompt' },
  },
})
