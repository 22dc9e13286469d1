import { health } from '@catenary/contracts'
import { tryListen } from '../../platform/http/try-listen.ts'
import { askOwnAddress } from '../../platform/outbound/ask-own-address.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { explainStartFailure } from '../../platform/start-failure.ts'
import { describeVersion, readVersion } from '../../version.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const TIMEOUT_MS = 5_000
/** Every address of the machine: it is asked at its own. */
const EVERY: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

export async function checkPort({
  host,
  port,
}: Settings): Promise<{ findings: Finding[]; isRunning: boolean }> {
  const place = `${host}:${port}`
  const address = `http://${EVERY[host] ?? (host.includes(':') ? `[${host}]` : host)}:${port}`
  const ask = (path: string) =>
    askOwnAddress({ url: new URL(path, address), timeoutMs: TIMEOUT_MS }).catch(() => undefined)
  const alive = await ask('/healthz')
  if (alive === undefined) return { findings: [await checkFree({ host, port })], isRunning: false }
  const version = readHealth(alive.text)
  if (version === undefined) {
    const taken = problem(
      `${place} is in use by another program`,
      'Stop the program that uses the port, or set PORT to another.',
    )
    return { findings: [taken], isRunning: false }
  }
  const own = describeVersion(readVersion())
  const runs = describeVersion(version)
  const findings = [
    runs === own
      ? ok(`Catenary ${runs} answers at ${place}`)
      : warning(
          `Catenary ${runs} answers at ${place}, and this is ${own}: restart it, unless it is another installation`,
        ),
    checkReady(await ask('/readyz')),
  ]
  return { findings, isRunning: true }
}

function readHealth(text: string) {
  try {
    return health.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

function checkReady(reply: { status: number; text: string } | undefined): Finding {
  if (reply?.status === 200) return ok('It is ready: database, queue and disk')
  const why = /"error":"([^"]+)"/.exec(reply?.text ?? '')?.[1] ?? 'No answer'
  return problem(`It is running but not ready. ${why}`, `Check Catenary’s log. ${why}.`)
}

async function checkFree({ host, port }: { host: string; port: number }): Promise<Finding> {
  try {
    await tryListen({ host, port })
    return ok(`${host}:${port} is free: Catenary is not running here`)
  } catch (error) {
    const why = explainStartFailure(error)
    return problem(`Catenary could not listen on ${host}:${port}. ${why}`, why)
  }
}
