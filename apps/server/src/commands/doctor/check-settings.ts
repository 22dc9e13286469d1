import { existsSync, statSync } from 'node:fs'
import { StartError } from '../../errors.ts'
import {
  listRemarks,
  readSettings,
  type Settings,
  settingsInForce,
  strangersInFile,
} from '../../platform/settings/settings.ts'
import { type Finding, notAsked, ok, problem, warning } from './finding.ts'

const DOT_ENV = '.env'
const FOR_OTHERS = 0o077

export function checkSettings(): { settings: Settings | undefined; findings: Finding[] } {
  try {
    return { settings: readSettings(), findings: [...describe(), ...checkNames(), ...checkDotEnv()] }
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const wrong = problem(error.message, `Correct the setting: ${error.message}.`)
    return {
      settings: undefined,
      findings: [wrong, ...checkDotEnv(), notAsked('Other checks need valid settings')],
    }
  }
}

function describe(): Finding[] {
  const settings = settingsInForce()
  const set = settings.filter(({ source }) => source !== 'default')
  const others = `${settings.length - set.length} others have their defaults: list-settings shows them`
  return [
    ...set.map(({ name, value, source }) => ok(`${name} is ${value}, from ${nameOf(source)}`)),
    ok(others),
  ]
}

const NAMES: Record<string, string> = { environment: 'the environment', option: 'an option of this command' }
const nameOf = (source: string) => NAMES[source] ?? source

/** What was set and has no effect: as the log of a start has it, and each other name in `.env`. */
function checkNames(): Finding[] {
  const remarks = listRemarks()
  const others = strangersInFile().filter((name) => !remarks.some((text) => text.startsWith(`${name} `)))
  return [
    ...remarks.map((text) => warning(text)),
    ...others.map((name) => warning(`${name} in ${DOT_ENV} is not a setting of Catenary. Is it a typo?`)),
  ]
}

function checkDotEnv(): Finding[] {
  if (!existsSync(DOT_ENV)) return []
  const findings: Finding[] = []
  const { mode } = statSync(DOT_ENV)
  if (process.platform !== 'win32' && (mode & FOR_OTHERS) !== 0) {
    findings.push(
      warning(
        `Other users on this machine can read ${DOT_ENV} and the secrets in it`,
        `chmod 600 ${DOT_ENV}`,
      ),
    )
  }
  return findings
}
