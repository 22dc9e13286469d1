import { DRIVE_CONNECTED_MESSAGE, driveConnectionApi, googleDriveApi } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import type { SendOwnPage } from '../../platform/http/own-page.ts'
import type { HttpReply } from '../../platform/http/routes.ts'
import { optionalUser } from '../../platform/http/session.ts'
import { disconnect, type EndedAttempt, finishConnecting, startConnecting } from './drive-connection.ts'
import { connectHref, type Notice, renderNotice } from './drive-notice.ts'
import { renderPicker } from './picker-page.ts'
import { findDriveStatus, listDriveFiles } from './read-drive.ts'

export { checkGoogleDrive, readDriveFile } from './read-drive.ts'
export { sealedDriveTokens } from './sealed-tokens.sql.ts'

export const serveGoogleDrive = handlers(googleDriveApi, {
  'GET /api/auth/google/status': (ctx, { user }) => findDriveStatus(ctx, user),
  'DELETE /api/auth/google': disconnect,
  'GET /api/google-drive/files': listDriveFiles,
  'GET /api/google-drive/picker': async (ctx, { request, reply }) => {
    const user = await optionalUser(request)
    const page = renderPicker({ isSignedIn: user !== null, status: await findDriveStatus(ctx, user) })
    return ctx.sendPage({ ...page, reply })
  },
})

const BACK = { label: 'Back to Catenary', href: '/variables' }
const LOG_IN = {
  title: 'Please log in',
  text: 'Log in to Catenary first, then connect Google Drive.',
  actions: [{ label: 'Log In', href: '/auth' }],
}
/** Only this way a window that goes to Google and back keeps its opener. */
const OPENER_STAYS = { 'cross-origin-opener-policy': 'unsafe-none', 'cache-control': 'no-store' }

/** The way to Google and back, which people walk in the browser: failures are pages. */
export const serveDriveConnection = handlers(driveConnectionApi, {
  'GET /api/auth/google': async (ctx, { query, client: { headers }, request, reply }) => {
    const { sendPage } = ctx
    const user = await optionalUser(request)
    if (user === null) return sendNotice({ sendPage, reply, status: 401, ...LOG_IN })
    try {
      const url = await startConnecting(ctx, { ...query, popup: query.popup === '1', user, headers })
      return reply.headers(OPENER_STAYS).redirect(url)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'conflict')) throw error
      const title = 'Google Drive can’t be connected'
      return sendNotice({ sendPage, reply, status: 409, title, text: error.message, actions: [BACK] })
    }
  },
  'GET /api/auth/google/callback': async (ctx, { query, client: { headers }, request, reply }) => {
    const { sendPage } = ctx
    const user = await optionalUser(request)
    if (user === null) return sendNotice({ sendPage, reply, status: 401, ...LOG_IN })
    try {
      const ended = await finishConnecting(ctx, { ...query, user, headers })
      return sendEnd({ sendPage, reply, ...ended })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const status = error.code === 'forbidden' ? 403 : 400
      const title = 'Google Drive was not connected'
      return sendNotice({ sendPage, reply, status, title, text: error.message, actions: [BACK] })
    }
  },
})

interface PageReply {
  sendPage: SendOwnPage
  reply: HttpReply
}

function sendEnd({ sendPage, reply, returnTo, popup, refusal }: PageReply & EndedAttempt): HttpReply {
  if (refusal !== undefined) {
    return sendNotice({
      sendPage,
      reply,
      status: 400,
      title: 'Google Drive was not connected',
      text: refusal,
      actions: [
        { label: 'Try again', href: connectHref({ returnTo, popup }) },
        ...(popup ? [] : [{ ...BACK, href: returnTo }]),
      ],
    })
  }
  if (!popup) return reply.headers(OPENER_STAYS).redirect(returnTo)
  const page = renderNotice({
    title: 'Google Drive is connected',
    text: 'You can close this window and continue in Catenary.',
  })
  const script = `(${notifyOpener.toString()})(${JSON.stringify(DRIVE_CONNECTED_MESSAGE)})`
  return sendPage({ ...page, script, reply })
}

function sendNotice({ sendPage, reply, status, ...notice }: PageReply & Notice & { status: number }) {
  return sendPage({ ...renderNotice(notice), status, reply })
}

/** Runs in the browser: tells the page of ours that opened this window, and closes it. */
function notifyOpener(type: string): void {
  const { opener } = window
  if (!opener) return
  opener.postMessage({ type }, location.origin)
  window.close()
}
