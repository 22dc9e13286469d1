import * as z from 'zod'
import { idParam, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { listQuery, searchParam } from '../lists.ts'
import { byTagsQuery } from '../tags.ts'
import {
  apiHeaders,
  listedVariable,
  requireAddress,
  saveVariableRequest,
  variable,
  variableContent,
  variablePreview,
  variableUsage,
  variableUsageCount,
} from './variables.ts'

const listVariablesQuery = listQuery.extend({
  search: searchParam(
    'Words that must all be in the name, or in the text, address or file name shown in the list, in any order; case, accents, width and kinds of spaces are ignored. If all words have one or two letters, only names are searched.',
  ),
})
const listVariablesByTagsQuery = listVariablesQuery.extend(byTagsQuery.shape)
export type ListVariablesQuery = z.output<typeof listVariablesByTagsQuery>

const tryAddressRequest = z
  .strictObject({
    apiUrl: z.string().trim().max(2000).describe('http or https, without credentials.'),
    apiHeaders: apiHeaders.describe('Headers to try; sent once and not stored.'),
  })
  .superRefine(requireAddress)
export type TryAddressRequest = z.infer<typeof tryAddressRequest>

export const proxyReply = z.object({
  content: z.string().describe('JSON indented by two spaces, or other text unchanged.'),
  contentType: z.string().describe('Content type of the fetched reply.'),
  fetchedAt: timestamp,
})
export type ProxyReply = z.infer<typeof proxyReply>

const NAME_TAKEN = '409 if the owner has a variable of that name, ignoring case.'
const MEANING =
  'A reference means your own variable, or else a public one (an admin’s first, then the oldest); case is ignored.'
const FETCHES =
  'Anything not stored here is fetched for signed-in people only, at most 120 times a minute (429); a guest gets ' +
  'a placeholder text.'

// Another site must not cause fetches in a person's name and on their share: hence the checks.
export const variablesApi = defineApi('variables', {
  'GET /api/variables': {
    who: 'guest',
    summary: 'The variables that the caller can see, by name',
    query: listVariablesQuery,
    list: listedVariable,
  },
  'GET /api/variables/by-tags': {
    who: 'guest',
    summary: 'The variables with any of the tags, by name',
    query: listVariablesByTagsQuery,
    list: listedVariable,
  },
  'GET /api/variables/{id}': { who: 'guest', summary: 'One variable', params: idParams, reply: variable },
  'GET /api/variables/{id}/preview': {
    who: 'guest',
    summary: 'Preview of the variable’s value',
    description: FETCHES,
    params: idParams,
    reply: variablePreview,
    crossSiteCheck: true,
  },
  'GET /api/variables/{idOrName}/content': {
    who: 'guest',
    summary: "A variable's text, by id or by name",
    description: `Digits are read as an id first, then as a name. A name means your own variable, or else a public one (an admin’s first, then the oldest). ${FETCHES}`,
    params: z.strictObject({
      idOrName: z.string().min(1).max(200).describe('Digits are read as an id first, then as a name.'),
    }),
    reply: variableContent,
    crossSiteCheck: true,
  },
  'GET /api/variables/{id}/file': {
    who: 'guest',
    summary: 'The bytes of its image or PDF',
    params: idParams,
    media: true,
  },
  'GET /api/proxy': {
    who: 'user',
    summary: 'Fetch the content of an API variable now',
    description:
      'JSON is indented by two spaces. 400 if url is not the variable’s address or ' +
      'may not be fetched; 502 if the address did not return text; 429 after 120 fetches a minute.',
    query: z.strictObject({
      url: z
        .string()
        .min(1)
        .max(2000)
        .describe('The variable’s stored apiUrl; no other address is fetched (D24).'),
      variableId: idParam.describe('Id of a variable of type api.'),
    }),
    reply: proxyReply,
    crossSiteCheck: true,
    noStore: true,
  },
  'POST /api/proxy': {
    who: 'user',
    summary: 'Test an address before saving it as an API variable',
    description:
      'Sends only the headers in the call, never stored ones. Limits and errors are the same as for GET /api/proxy.',
    body: tryAddressRequest,
    reply: proxyReply,
    noStore: true,
    activity: { none: 'It reads an address and changes nothing.' },
  },
  'GET /api/variables/usage': {
    who: 'user',
    summary: 'How many of your prompts and chains, and chains shared with you, use each variable',
    description: MEANING,
    query: listQuery,
    list: variableUsageCount,
  },
  'GET /api/variables/{id}/usage': {
    who: 'user',
    summary: 'The prompts and chains you can see that use the variable',
    description: MEANING,
    params: idParams,
    reply: variableUsage,
  },
  'POST /api/variables': {
    who: 'user',
    summary: 'Create a variable',
    description: NAME_TAKEN,
    body: saveVariableRequest,
    created: variable,
    activity: { kind: 'variable.created', object: 'variable' },
  },
  'PATCH /api/variables/{id}': {
    who: 'user',
    summary: 'Save a variable',
    description: `${NAME_TAKEN} 409 with the current variable as details when the revision is stale.`,
    params: idParams,
    body: saveVariableRequest,
    reply: variable,
    activity: { kind: 'variable.changed', object: 'variable' },
  },
  'DELETE /api/variables/{id}': {
    who: 'user',
    summary: 'Delete a variable',
    params: idParams,
    activity: { kind: 'variable.deleted', object: 'variable' },
  },
})
