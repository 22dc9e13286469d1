import { PRIVATE_VALUES } from '@catenary/contracts'
import type { startApp } from './harness.ts'

type App = Pick<Awaited<ReturnType<typeof startApp>>, 'request'>
type Request = Parameters<App['request']>[0]

/** As a form sends it whose person lets it fill in their private values: with the names that others brought into the text. */
export async function sendAsForm({ request }: App, wanted: Request) {
  const reply = await request(wanted)
  const { code, details } = Object(reply.body) as { code?: unknown; details?: { name: string }[] }
  if (reply.status !== 409 || code !== PRIVATE_VALUES) return reply
  const fills = details?.map(({ name }) => name)
  return request({ ...wanted, body: { ...Object(wanted.body), fills } })
}
