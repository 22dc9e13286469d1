import {
  type CurrentTextLink,
  type FailingSuite,
  LABELS_MAX,
  type LabelConflict,
  type LabelDependants,
  type RecordKind,
} from '@catenary/contracts'
import { AppError, fieldError } from '../../errors.ts'

const conflict = (message: string, details: LabelConflict) => new AppError('conflict', message, { details })

export class GateClosedError extends AppError {
  readonly label: string
  readonly version: number
  readonly suites: FailingSuite[]

  constructor(
    message: string,
    { label, version, suites, canOverride }: Pick<ClosedGate, 'label' | 'version' | 'suites' | 'canOverride'>,
  ) {
    const details: LabelConflict = { code: 'GATE_CLOSED', suites, canOverride }
    super('conflict', message, { details })
    this.label = label
    this.version = version
    this.suites = suites
  }
}

export function labelMoved(now: { label: string; version: number | null }): AppError {
  const place = now.version === null ? 'was removed' : `was moved to version ${now.version}`
  return conflict(`${now.label} ${place} since you opened it`, { code: 'LABEL_MOVED', ...now })
}

export function requireUnlinked({ label, links }: { label: string; links: CurrentTextLink[] }): void {
  if (links.length === 0) return
  const steps = links.map(({ position }) => position + 1).join(', ')
  throw conflict(
    `${label} is protected, and step ${steps} takes its prompt’s current text. Link it to a label or a version.`,
    { code: 'CURRENT_TEXT_LINKED', links },
  )
}

interface ClosedGate {
  label: string
  version: number
  suites: FailingSuite[]
  canOverride: boolean
  override: boolean
  reason: string
}

/** Throws where test suites have not passed, unless who may do so says that it goes on, and why. */
export function requireOpenGate({ label, version, suites, canOverride, override, reason }: ClosedGate): void {
  if (!override) {
    const failed = suites.filter(({ evaluationId }) => evaluationId !== null).map(({ name }) => name)
    const why = failed.length > 0 ? `failed ${failed.join(', ')}` : 'was not evaluated'
    const message = `${label} requires a passing test suite, and version ${version} ${why}`
    throw new GateClosedError(message, { label, version, suites, canOverride })
  }
  if (!canOverride) {
    throw new AppError(
      'forbidden',
      `Only the owner and administrators may move ${label} past its test suites`,
    )
  }
  if (reason !== '') return
  throw fieldError('reason', 'Say why you are moving it although its test suites haven’t passed')
}

export function requireUnused(label: string, dependants: LabelDependants): void {
  const { chains, schedules, tokens, hidden } = dependants
  const count = chains.length + schedules.length + tokens.length + hidden
  if (count === 0) return
  const what = count === 1 ? 'something uses it' : `${count} things use it`
  throw conflict(`${label} can’t be removed: ${what}. Point them to another label first`, {
    code: 'LABEL_IN_USE',
    dependants,
  })
}

export function noSuchVersion({ kind, version }: { kind: RecordKind; version: number }): AppError {
  return fieldError('version', `This ${kind} has no version ${version}`)
}

export function tooManyLabels(kind: RecordKind): AppError {
  return new AppError('invalid', `A ${kind} can have at most ${LABELS_MAX} labels`)
}
