import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SystemCheckResult } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DriveApp, startDrive } from '../../testing/fake-google/start-drive.ts'
import { startApp, type TestUser } from '../../testing/harness.ts'

const PICKER = '/api/google-drive/picker'

describe('the picker', () => {
  let webDirectory: string
  let app: DriveApp
  let ada: TestUser
  beforeAll(async () => {
    webDirectory = await mkdtemp(path.join(tmpdir(), 'catenary-web-'))
    const links =
      '<link rel="stylesheet" crossorigin href="/assets/shared~index-1a.css" nonce="__CSP_NONCE__">'
    await writeFile(path.join(webDirectory, 'index.html'), links)
    app = await startDrive({ webDirectory })
    ada = await app.registerUser({ role: 'admin' })
  })
  afterAll(async () => {
    await app.close()
    await rm(webDirectory, { recursive: true })
  })

  const open = (as?: TestUser, headers: Record<string, string> = {}) =>
    app.request({ url: PICKER, as, headers })

  test('asks a guest to log in, and others to connect, from where they come back here', async () => {
    expect((await open()).text).toContain('href="/auth"')
    const { status, text } = await open(ada)
    expect(status).toBe(200)
    expect(text).toContain('href="/api/auth/google?returnTo=%2Fapi%2Fgoogle-drive%2Fpicker"')
    expect(text).not.toContain('<script>')
  })

  test('says what an admin must set where Google is not set up', async () => {
    const other = await startApp()
    const bob = await other.registerUser()
    const { text } = await other.request({ url: PICKER, as: bob })
    expect(text).toContain('must set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET')
    await other.close()
  })

  test('is a page whose only script and style carry its nonce, in the app’s own look', async () => {
    const back = await app.connect(ada, `?returnTo=${encodeURIComponent(PICKER)}`)
    expect(back.headers.location).toBe(PICKER)
    const [first, second] = [await open(ada), await open(ada)]
    const policy = String(first.headers['content-security-policy'])
    const nonce = /script-src 'nonce-(\w{32})';/.exec(policy)?.[1]
    expect(policy.split(';')).toEqual([
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      `style-src 'self' 'nonce-${nonce}'`,
      "font-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
    expect(second.text).not.toContain(nonce)
    expect(first.text.match(/<(script|style)[^>]*>/g)).toEqual([
      `<script src="/theme.js" nonce="${nonce}">`,
      `<style nonce="${nonce}">`,
      `<script nonce="${nonce}">`,
    ])
    expect(first.text).toContain('<link rel="stylesheet" href="/assets/shared~index-1a.css">')
    expect(first.text).not.toMatch(/ style="| on\w+="|__CSP_NONCE__/)
    expect(first.headers['cache-control']).toBe('no-store')
  })

  test('The picker is our own page. It lists and searches Drive, and posts file id, name and mimeType to its opener’s exact origin.', async () => {
    const { headers, text } = await open(ada, { 'sec-fetch-site': 'cross-site' })
    expect(headers['cross-origin-opener-policy']).toBe('unsafe-none')
    const posts = text.match(/postMessage\([^)]*\)/g)?.map((call) => call.replaceAll(/\s/g, ''))
    expect(posts).toEqual(['postMessage({id,name,mimeType},location.origin)'])
    const start = await app.request({ url: '/api/auth/google', as: ada })
    expect(start.headers['cross-origin-opener-policy']).toBe('unsafe-none')
    const page = await app.request({ url: '/' })
    expect(page.headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups')
  })

  test('the dashboard’s check says whether Google knows this installation and its Drive answers', async () => {
    const check = async () =>
      (await app.request({ url: '/api/admin/checks/google-drive', as: ada })).body as SystemCheckResult
    expect(await check()).toMatchObject({
      status: 'ok',
      message: 'Google knows this installation, and its Drive answers',
    })
    for (const [fault, message] of [
      [{ on: 'token', status: 401, reason: 'invalid_client' }, 'must check GOOGLE_CLIENT_ID'],
      [{ on: 'drive', status: 500 }, 'it answered 500'],
      [{ on: 'drive', body: '{"user":{}}' }, 'accepted a token that it never issued'],
    ] as const) {
      app.fake.fail(fault)
      expect(await check()).toMatchObject({ status: 'failed', message: expect.stringContaining(message) })
    }
  })
})
