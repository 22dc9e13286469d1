import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startMailServer, toSmtpUrl } from '../../apps/server/src/testing/mail-server.ts'
import { TEST_CERTIFICATE } from '../../apps/server/src/testing/test-certificate.ts'

const PATIENCE_MS = 20_000

/** A mail server for the program, and what came through it. */
export interface Post {
  env: Record<string, string>
  /** The secret of the link in the first mail to the address; waits for it. */
  linkTo(address: string, kind: 'confirm' | 'unsubscribe'): Promise<string>
  close(): Promise<void>
}

export async function startPost(): Promise<Post> {
  const server = await startMailServer()
  const folder = await mkdtemp(join(tmpdir(), 'catenary-post-'))
  const certificate = join(folder, 'certificate.pem')
  await writeFile(certificate, TEST_CERTIFICATE.cert)
  return {
    env: {
      SMTP_URL: toSmtpUrl(server),
      MAIL_FROM: 'Catenary <catenary@example.org>',
      NODE_EXTRA_CA_CERTS: certificate,
    },
    linkTo: async (address, kind) => {
      const link = new RegExp(`/api/mail/${kind}/(\\S+)`)
      const deadline = Date.now() + PATIENCE_MS
      while (Date.now() < deadline) {
        const mail = server.mails.find(({ to }) => to.includes(address))
        const secret = link.exec(mail?.text ?? '')?.[1]
        if (secret !== undefined) return secret
        await sleep(20)
      }
      throw new Error(`No mail with a link came to ${address}.`)
    },
    close: async () => {
      await server.close()
      await rm(folder, { recursive: true })
    },
  }
}
