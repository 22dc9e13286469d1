import type { Condition } from '@catenary/contracts'
import { conditionText, shortenText } from '@catenary/domain'

const SKIP_REASON_MAX = 1_000

export const skipReasonOf = (onlyIf: Condition): string =>
  shortReason(`It runs only if ${conditionText(onlyIf)}`)

export const shortReason = (text: string): string => shortenText(text, SKIP_REASON_MAX)
