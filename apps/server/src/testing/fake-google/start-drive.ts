import { readDriveFile } from '../../features/google-drive/google-drive.ts'
import { createLog } from '../../platform/log/log.ts'
import { startApp, type TestUser } from '../harness.ts'
import { startFakeGoogle } from './fake-google.ts'

export type DriveApp = Awaited<ReturnType<typeof startDrive>>

/** An app whose Google is a fake, and the short way through its consent. */
export async function startDrive(options: Parameters<typeof startApp>[0] = {}) {
  const fake = await startFakeGoogle()
  const { log = createLog({ level: 'silent' }) } = options
  const clock = { aheadMs: 0 }
  const now = () => new Date(Date.now() + clock.aheadMs)
  const app = await startApp({
    ...options,
    log,
    now,
    settings: { google: fake.settings, ...options.settings },
  })

  /** To Google: its address, as the person's browser is sent there. */
  const start = async (as: TestUser, query = '') => {
    const reply = await app.request({ url: `/api/auth/google${query}`, as })
    return String(reply.headers.location)
  }
  /** Through Google: the path and query that it sends the browser back to. */
  const consent = async (address: string) => {
    const reply = await fetch(address, { redirect: 'manual' })
    const { pathname, search } = new URL(reply.headers.get('location') ?? '')
    return pathname + search
  }
  /** Back from Google, which is another site. */
  const comeBack = (url: string, as?: TestUser) =>
    app.request({ url, as, headers: { 'sec-fetch-site': 'cross-site' } })

  return {
    ...app,
    fake,
    clock,
    readDriveFile: (wanted: Parameters<typeof readDriveFile>[1]) => readDriveFile(app.ctx, wanted),
    start,
    consent,
    comeBack,
    connect: async (as: TestUser, query = '') => comeBack(await consent(await start(as, query)), as),
    status: async (as?: TestUser) => (await app.request({ url: '/api/auth/google/status', as })).body,
    close: async () => {
      await app.close()
      await fake.close()
    },
  }
}
