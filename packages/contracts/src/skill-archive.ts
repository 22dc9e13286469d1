import * as z from 'zod'
import { defineApi } from './endpoint.ts'
import { wantedLabel } from './records/labels.ts'

export const skillArchiveApi = defineApi('prompt server', {
  'GET /api/skills/{file}': {
    who: 'skills token',
    summary: 'A skill’s folder as a zip, for read tokens and tokens for agents',
    description: '`Authorization: Bearer`. `X-Prompt-Version` and `X-Prompt-Label` say which version it is.',
    params: z.strictObject({
      file: z
        .string()
        .regex(/^[a-z][a-z0-9-]{0,63}\.zip$/, 'Name a skill by its slug, with .zip')
        .describe('Slug of the skill, with `.zip`.'),
    }),
    query: z.strictObject({
      label: wantedLabel.optional().describe('Label of the version; default: production, else the newest.'),
    }),
    sends: { 200: z.string().describe('The zip: a folder of the skill’s name.') },
    produces: ['application/zip'],
    errors: [401, 403, 404, 413, 429],
    crossSiteCheck: false,
    noStore: true,
  },
})
