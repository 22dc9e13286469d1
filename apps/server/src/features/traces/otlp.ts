/**
 * What OTLP/HTTP takes at `/v1/traces`, in JSON: the parts of it that are written here. Times are texts; whole numbers are
 * numbers, as OpenTelemetry's own exporter writes them: Langfuse does not read those that are texts.
 */
export interface TraceRequest {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { scope: { name: string; version: string }; spans: Span[] }[]
  }[]
}

export interface Span {
  /** 32 hexadecimal digits. */
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: (typeof SPAN_KIND)[keyof typeof SPAN_KIND]
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status: { code: (typeof STATUS)[keyof typeof STATUS] }
}

interface Attribute {
  key: string
  value: AnyValue
}

type AnyValue =
  | { stringValue: string }
  | { intValue: number }
  | { doubleValue: number }
  | { arrayValue: { values: AnyValue[] } }

export const SPAN_KIND = { internal: 1, client: 3 } as const
export const STATUS = { unset: 0, ok: 1, error: 2 } as const

/** A whole number is sent as one; `toDouble` is for what may have a fraction, and is always of one type. */
type Known = string | number | string[] | { doubleValue: number }

/** Of what is known alone: null is left out. */
export function toAttributes(known: Record<string, Known | null>): Attribute[] {
  return Object.entries(known).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: toAnyValue(value) }],
  )
}

export const toDouble = (value: number | null) => (value === null ? null : { doubleValue: value })

function toAnyValue(value: Known): AnyValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'number') return { intValue: value }
  return Array.isArray(value) ? { arrayValue: { values: value.map(toAnyValue) } } : value
}

export const toNanos = (time: Date): string => `${time.getTime()}000000`
