import { answers } from './network.ts'
import type { State } from './state.ts'
import { choose, fill, inTurn, press, seen } from './steps.ts'

const NEWS = JSON.stringify({ version: '1.0', released: '2026-11-20', chains_per_second: 926 }, null, 2)
const STATUS = '/api/auth/google/status'
const EDIT_API = '/variables?variable=:api'
const EDIT_DRIVE = '/variables?variable=:drive'

/** Variables whose values are fetched: their forms, and how they stand in a prompt. */
export const sourceStates: readonly State[] = [
  {
    name: 'file-variable-new',
    who: 'user',
    path: '/variables?variable=new',
    prepare: inTurn(choose('File'), seen('Drag a text file here')),
  },
  {
    name: 'image-variable-new',
    who: 'user',
    path: '/variables?variable=new',
    prepare: inTurn(choose('Image'), seen('Drop or paste an image here'), press('From an address')),
  },
  {
    name: 'image-variable',
    who: 'user',
    path: '/variables?variable=:image',
    prepare: seen('login-500.webp'),
  },
  {
    name: 'execute-picture',
    who: 'user',
    path: '/execute/:pictured',
    prepare: inTurn(press(/^Execute(?! with AI)/), seen('Done')),
  },
  { name: 'file-variable', who: 'user', path: '/variables?variable=:file', prepare: seen('house-style.md') },
  {
    name: 'api-variable',
    who: 'user',
    path: EDIT_API,
    network: answers('/api/proxy', {
      content: NEWS,
      contentType: 'application/json',
      fetchedAt: '2026-11-21T10:00:00.000Z',
    }),
    prepare: inTurn(press('Fetch now'), seen('Variable Content Fetched')),
  },
  {
    name: 'api-variable-headers',
    who: 'user',
    path: EDIT_API,
    prepare: inTurn(fill('API URL', 'https://example.net/'), choose('JSON'), seen(/^Save first/)),
  },
  {
    name: 'api-variable-errors',
    who: 'user',
    path: EDIT_API,
    prepare: inTurn(
      fill('API URL', 'example'),
      press('Add header'),
      fill('Name of header 3', 'no good name'),
      press('Save Changes'),
      seen("Must be a valid URL when type is 'api'"),
    ),
  },
  { name: 'drive-variable-not-set-up', who: 'user', path: EDIT_DRIVE, prepare: seen(/GOOGLE_CLIENT_ID/) },
  {
    name: 'drive-variable-connect',
    who: 'user',
    path: EDIT_DRIVE,
    network: answers(STATUS, { configured: true, authenticated: false, email: null }),
    prepare: seen('Authorization required'),
  },
  {
    name: 'drive-variable',
    who: 'user',
    path: EDIT_DRIVE,
    network: answers(STATUS, { configured: true, authenticated: true, email: 'grace@example.org' }),
    prepare: seen(/^Connected as/),
  },
  {
    name: 'drive-variable-error',
    who: 'user',
    path: EDIT_DRIVE,
    network: answers(STATUS, { error: 'Google does not answer.' }, 502),
    prepare: seen('Authentication Error'),
  },
  {
    name: 'execute-fetched-values',
    who: 'user',
    path: '/execute/:sourced',
    network: answers('/api/variables/release_notes/content', { content: NEWS }),
    prepare: seen(/^Error loading content/),
  },
  {
    name: 'execute-drive-connect',
    who: 'user',
    path: '/execute/:sourced',
    network: answers(STATUS, { configured: true, authenticated: false, email: null }),
    prepare: seen('Connect Google Drive'),
  },
]
