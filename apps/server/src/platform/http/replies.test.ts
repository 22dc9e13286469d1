import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError, type ErrorCode } from '../../errors.ts'
import { createBareHttp } from '../../testing/bare-http.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/harness.ts'

const PAGE =
  '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><script src="/assets/a.js"></script>' +
  '<script type="application/json" id="page-data">"__PAGE_DATA__"</script>'

let app: TestApp
let user: TestUser
let webDirectory: string
beforeAll(async () => {
  webDirectory = await mkdtemp(path.join(tmpdir(), 'catenary-web-'))
  await mkdir(path.join(webDirectory, 'assets'))
  await writeFile(path.join(webDirectory, 'index.html'), PAGE)
  await writeFile(path.join(webDirectory, 'assets', 'a.js'), 'export {}')
  app = await startApp({ webDirectory })
  user = await app.registerUser()
})
afterAll(async () => {
  await app.close()
  await rm(webDirectory, { recursive: true })
})

describe('a failure', () => {
  it.each([
    ['invalid', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['conflict', 409],
    ['gone', 410],
    ['too_large', 413],
    ['unsupported_type', 415],
    ['key_reused', 422],
    ['too_many', 429],
    ['upstream', 502],
    ['unavailable', 503],
  ] satisfies [ErrorCode, number][])('%s has status %i and the one form', async (code, status) => {
    const http = await createBareHttp()
    http.get('/api/fails', async () => {
      throw new AppError(code, 'Why', { details: { current: 1 }, retryAfter: 1.2 })
    })
    http.get('/api/breaks', async () => {
      throw new Error('a secret of the inside')
    })
    const reply = await http.inject('/api/fails')
    expect([reply.statusCode, reply.json()]).toEqual([status, { error: 'Why', details: { current: 1 } }])
    expect(reply.headers['retry-after']).toBe('2')
    const broken = await http.inject('/api/breaks')
    expect([broken.statusCode, broken.json()]).toEqual([500, { error: 'Something went wrong on the server' }])
    await http.close()
  })

  it('at an unknown address of the API is 404 in JSON, also for writes', async () => {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const reply = await app.request({ method, url: '/api/nothing', as: user })
      expect([reply.status, reply.body]).toEqual([404, { error: 'There is nothing at this address' }])
    }
  })
})

describe('each reply', () => {
  it('carries a request id of its own', async () => {
    const [a, b] = [await app.request({ url: '/healthz' }), await app.request({ url: '/api/%ff' })]
    expect(a.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(b.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(a.headers['x-request-id']).not.toBe(b.headers['x-request-id'])
  })

  it.each(['/api/categories', '/api/nothing', '/assets/a.js', '/'])(
    'at %s carries a strict policy',
    async (url) => {
      const { headers } = await app.request({ url })
      const policy = String(headers['content-security-policy'])
      expect(policy).not.toMatch(/unsafe|\*/)
      expect(policy).toContain("object-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups')
    },
  )
})

describe('the web app', () => {
  it.each(['/', '/index.html', '/prompts/7', '/auth?next=%2F'])(
    'at %s is a page with the nonce of its policy, new each time',
    async (url) => {
      const [first, second] = [await app.request({ url }), await app.request({ url })]
      const nonce = /content="([^"]+)"/.exec(first.text)?.[1]
      expect(first.status).toBe(200)
      expect(nonce).toMatch(/^[0-9a-f]{32}$/)
      expect(first.headers['content-security-policy']).toMatch(new RegExp(`style-src [^;]*'nonce-${nonce}'`))
      expect(second.text).not.toContain(nonce)
    },
  )

  it('has assets that are kept forever, and misses that are not pages', async () => {
    const asset = await app.request({ url: '/assets/a.js' })
    expect([asset.status, asset.headers['cache-control']]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ])
    expect((await app.request({ url: '/assets/b.js' })).status).toBe(404)
    expect((await app.request({ url: '/assets/..%2f..%2fetc/passwd' })).text).not.toContain('root:')
  })
})

describe('the description of the API', () => {
  it('is an OpenAPI 3.1 document of every route, with parameters, replies and the session cookie', async () => {
    const { body } = await app.request({ url: '/api/openapi.json' })
    expect(body).toMatchObject({ openapi: '3.1.1' })
    const { paths, components } = body as {
      paths: Record<string, Record<string, { summary?: string; tags?: string[]; responses: object }>>
      components: { securitySchemes: { session: { name: string } } }
    }
    const operations = Object.values(paths).flatMap((operations) => Object.values(operations))
    for (const operation of operations) {
      expect(operation).toMatchObject({ summary: expect.any(String), tags: [expect.any(String)] })
      expect(Object.keys(operation.responses)).toContain('default')
    }
    expect(Object.keys(paths['/api/categories']?.post?.responses ?? {})).toEqual([
      ...['201', '400', '401', '403', '409', '413', '415', '422', 'default'],
    ])
    expect(user.headers.cookie).toContain(`${components.securitySchemes.session.name}=`)
  })

  it.each([
    ['/api/docs', '<code>/api/prompts/{id}</code>'],
    ['/api/docs/prompts', '$&lt;name&gt;'],
  ])('is pages without scripts whose only style carries the nonce: %s', async (url, shown) => {
    const reply = await app.request({ url })
    const nonce = /style-src 'self' 'nonce-([0-9a-f]+)'/.exec(
      String(reply.headers['content-security-policy']),
    )?.[1]
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.text.match(/<style[^>]*>/g)).toEqual([`<style nonce="${nonce}">`])
    expect(reply.text).not.toMatch(/<script|style="|https?:\/\//)
    expect(reply.text).toContain(shown)
  })

  it('lists each operation once, with a link to its place in a page of its section', async () => {
    const { paths } = (await app.request({ url: '/api/openapi.json' })).body as { paths: object }
    const count = Object.values(paths).flatMap(Object.keys).length
    const index = (await app.request({ url: '/api/docs' })).text
    const links = [...index.matchAll(/<li><a href="(\/api\/docs\/[\w-]+)#([\w-]+)">/g)]
    expect(new Set(links.map(([link]) => link)).size).toBe(count)
    const bySection = Map.groupBy(links, ([, page = '']) => page)
    for (const [page, listed] of bySection) {
      const { status, text } = await app.request({ url: page })
      expect([page, status]).toEqual([page, 200])
      const places = [...text.matchAll(/ id="([\w-]+)"/g)].map(([, id]) => id)
      expect(places).toEqual(listed.map(([, , anchor]) => anchor))
    }
    expect((await app.request({ url: '/api/docs/nothing' })).status).toBe(404)
  })
})

describe("the app's page", () => {
  const dataOf = (html: string): unknown =>
    JSON.parse(html.match(/id="page-data">(.*?)<\/script>/)?.[1] ?? '')

  it('tells a browser without a session that it is a guest, and what this installation is', async () => {
    const { body: instance } = await app.request({ url: '/api/instance' })
    const forGuest = await app.request({ url: '/chains' })
    expect(dataOf(forGuest.text)).toEqual({ guest: true, instance })
    const forged = await app.request({ url: '/', headers: { cookie: 'catenary.session_token=me.forged' } })
    expect(dataOf(forged.text)).toEqual({ guest: true, instance })
    expect(dataOf((await app.request({ url: '/', as: user })).text)).toEqual({ guest: false, instance })
  })

  it('holds no data that could end its script element', async () => {
    const claude = {
      apiKey: 'k',
      baseUrl: 'http://127.0.0.1:9',
      modelId: '</script><script>alert(1)</script>',
    }
    const named = await startApp({
      webDirectory,
      settings: { models: { ...app.settings.models, claude } },
    })
    const { text } = await named.request({ url: '/' })
    expect(text).not.toContain('<script>alert')
    expect(JSON.stringify(dataOf(text))).toContain('</script><script>alert(1)</script>')
    await named.close()
  })

  it('at the front door is the one that names the library’s modules', async () => {
    await writeFile(path.join(webDirectory, 'library.html'), `${PAGE}<link rel="modulepreload">`)
    const withLibrary = await startApp({ webDirectory })
    expect((await withLibrary.request({ url: '/' })).text).toContain('modulepreload')
    expect((await withLibrary.request({ url: '/auth' })).text).not.toContain('modulepreload')
    expect((await withLibrary.request({ url: '/library.html' })).text).not.toContain('modulepreload')
    await withLibrary.close()
  })
})
