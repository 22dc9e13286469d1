import * as z from 'zod'
import { defineApi } from '../endpoint.ts'

/** Who may save steps that call services. */
export const TOOL_SAVERS = ['everyone', 'admins'] as const
const savedBy = z
  .enum(TOOL_SAVERS)
  .describe('Who may add steps of kind tool, and change what they call: everyone, or only admins.')
export type ToolSavers = z.infer<typeof savedBy>

export const toolSaving = z.object({ savedBy })
export type ToolSaving = z.infer<typeof toolSaving>

export const toolSavingApi = defineApi('admin', {
  'GET /api/admin/tool-steps': {
    who: 'admin',
    summary: 'Who may save steps that call services',
    reply: toolSaving,
    errors: [401, 403],
  },
  'PUT /api/admin/tool-steps': {
    who: 'admin',
    summary: 'Set who may save steps that call services',
    description:
      'With admins, what would add a step of kind tool to a chain or change its call is 403 for all others: saving and duplicating a step or a chain, imports, pushed folders and restored versions. Steps that are there stay, can be moved and deleted, and run as before.',
    body: z.strictObject({ savedBy }),
    reply: toolSaving,
    errors: [401, 403],
    activity: { kind: 'instance.tool_savers_set', object: 'instance' },
  },
})

export const toolSteps = z.object({
  maySave: z
    .boolean()
    .describe(
      'The caller may add steps of kind tool, and change what they call. false: only administrators may.',
    ),
})

export const toolStepsApi = defineApi('chains', {
  'GET /api/tool-steps': {
    who: 'user',
    summary: 'Whether you may save steps that call services',
    reply: toolSteps,
  },
})
