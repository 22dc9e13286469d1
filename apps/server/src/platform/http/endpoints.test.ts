import { defineApi, type User } from '@catenary/contracts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { createBareHttp } from '../../testing/bare-http.ts'
import { handlers } from './endpoints.ts'
import type { Edge, HttpApp } from './routes.ts'

const note = z.object({ id: z.int(), text: z.string() })
const params = z.strictObject({ id: z.coerce.number() })
const ADA: User = { id: 1, username: 'ada', email: 'ada@example.org', role: 'user' }

const activity = { none: 'Nobody keeps these notes.' }
const notesApi = defineApi('notes', {
  'GET /api/notes': { who: 'guest', summary: 'All notes', list: note, unchanged: true },
  'POST /api/notes': {
    who: 'user',
    summary: 'Make one',
    body: note,
    created: note,
    notReplayed: true,
    activity,
  },
  'POST /api/notes/{id}/print': {
    who: 'user',
    summary: 'Print it',
    params,
    accepted: note,
    noStore: true,
    activity,
  },
  'GET /api/notes/{id}': { who: 'guest', summary: 'One', params, reply: note },
  'DELETE /api/notes/{id}': { who: 'admin', summary: 'Remove it', params, activity },
  'GET /api/notes/lines': {
    who: 'guest',
    summary: 'As a page or a file',
    list: note,
    sends: { 200: note.array() },
  },
  'GET /api/notes/{id}/page': { who: 'guest', summary: 'A page', params, sends: { 200: z.string() } },
})
const one = { id: 1, text: 'one' }
const page = { items: [one], limit: 10, total: undefined, cursorAfter: () => '' }

const serve = handlers(notesApi, {
  'GET /api/notes': (_, { isUnchanged }) => (isUnchanged('first') ? undefined : page),
  'POST /api/notes': (_, { body, user }) => ({ id: user.id, text: body.text }),
  'POST /api/notes/{id}/print': (_, { params }) => ({ ...one, ...params }),
  'GET /api/notes/{id}': (_, { params, user }) => ({ ...params, text: user?.username ?? 'guest' }),
  'DELETE /api/notes/{id}': async () => 'nobody reads this',
  'GET /api/notes/lines': async (_, { request, reply }) => {
    if (request.headers.cookie !== 'ada') return page
    await reply.type('text/plain').send('one')
    return undefined
  },
  'GET /api/notes/{id}/page': (_, { params, reply }) => reply.type('text/html').send(`<p>${params.id}`),
})

/** None of these compiles: `tsc` says so where one does. None is called. */
const small = defineApi('small', {
  'GET /api/small': { who: 'user', summary: 'Small', reply: note },
})
const wrong = {
  // @ts-expect-error No such method.
  method: () => defineApi('a', { 'FETCH /api/a': { who: 'user', summary: '' } }),
  // @ts-expect-error A path begins with a slash.
  path: () => defineApi('a', { 'GET api/a': { who: 'user', summary: '' } }),
  // @ts-expect-error Nobody of that name calls.
  caller: () => defineApi('a', { 'GET /api/a': { who: 'anybody', summary: '' } }),
  // @ts-expect-error The path names an id, and no schema reads it.
  noParams: () => defineApi('a', { 'GET /api/a/{id}': { who: 'user', summary: '' } }),
  // @ts-expect-error The path names another parameter.
  params: () => defineApi('a', { 'GET /api/a/{name}': { who: 'user', summary: '', params } }),
  // @ts-expect-error The path names none.
  noName: () => defineApi('a', { 'GET /api/a': { who: 'user', summary: '', params } }),
  // @ts-expect-error It changes something, and does not say what it leaves in the activity.
  silent: () => defineApi('a', { 'DELETE /api/a': { who: 'user', summary: '' } }),
  unknownKind: () =>
    // @ts-expect-error Nothing of that kind is done.
    defineApi('a', { 'GET /api/a': { who: 'user', summary: '', activity: { kind: 'a.b', object: 'view' } } }),
  // @ts-expect-error A handler is missing.
  missing: () => handlers(small, {}),
  // @ts-expect-error No endpoint has this handler.
  unknown: () => handlers(small, { 'GET /api/small': () => one, 'GET /api/other': () => one }),
  // @ts-expect-error Not what the table says.
  reply: () => handlers(small, { 'GET /api/small': () => ({ id: 'one' }) }),
  // @ts-expect-error Nothing but the table's fields.
  field: () => handlers(small, { 'GET /api/small': (_, { body }) => ({ ...one, text: body.text }) }),
}

let http: HttpApp
beforeEach(async () => {
  http = await createBareHttp({ findUser: async (headers) => (headers.get('cookie') === 'ada' ? ADA : null) })
  serve(http, { ctx: { settings: {} } } as Edge)
})
afterEach(() => http.close())

interface Sent {
  as?: 'ada'
  payload?: object
  etag?: string
}

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, { as, payload, etag }: Sent = {}) =>
  http.inject({
    method,
    url,
    ...(payload && { payload }),
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(as && { cookie: as }),
      ...(etag !== undefined && { 'if-none-match': etag }),
    },
  })

test('the table says status and body of each reply', async () => {
  expect(Object.keys(wrong)).toHaveLength(12)
  const made = await call('POST', '/api/notes', { as: 'ada', payload: { id: 9, text: 'new' } })
  expect([made.statusCode, made.json()]).toEqual([201, { id: 1, text: 'new' }])
  const printed = await call('POST', '/api/notes/4/print', { as: 'ada' })
  expect([printed.statusCode, printed.json(), printed.headers['cache-control']]).toEqual([
    202,
    { id: 4, text: 'one' },
    'no-store',
  ])
  const read = await call('GET', '/api/notes/7')
  expect([read.statusCode, read.json()]).toEqual([200, { id: 7, text: 'guest' }])
  const sent = await call('GET', '/api/notes/7/page')
  expect([sent.statusCode, sent.headers['content-type'], sent.body]).toEqual([200, 'text/html', '<p>7'])
})

test('who may not call is refused, and what the schema refuses reaches no handler', async () => {
  expect((await call('POST', '/api/notes', { payload: one })).statusCode).toBe(401)
  expect((await call('DELETE', '/api/notes/1', { as: 'ada' })).statusCode).toBe(403)
  expect((await call('POST', '/api/notes', { as: 'ada', payload: { id: 'x' } })).statusCode).toBe(400)
})

test('a list that the caller has is not sent again', async () => {
  const first = await call('GET', '/api/notes')
  expect([first.statusCode, first.json()]).toEqual([200, [one]])
  const again = await call('GET', '/api/notes', { etag: String(first.headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('a list may also be sent as a file', async () => {
  expect((await call('GET', '/api/notes/lines')).json()).toEqual([one])
  const file = await call('GET', '/api/notes/lines', { as: 'ada' })
  expect([file.statusCode, file.headers['content-type'], file.body]).toEqual([200, 'text/plain', 'one'])
})
