import { createHmac } from 'node:crypto'
import { nanosToUsd } from '@catenary/domain'
import { SPAN_KIND, type Span, STATUS, type TraceRequest, toAttributes, toDouble, toNanos } from './otlp.ts'
import type { EndedRun, EndedStep } from './traces.sql.ts'

/** The names of OpenTelemetry's conventions for generative AI that are used here, as of version 1.41, and ours beside them. */
const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  requestTemperature: 'gen_ai.request.temperature',
  requestMaxTokens: 'gen_ai.request.max_tokens',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
} as const

/** Not in the conventions: Langfuse and others take the cost, in US dollars, by this name. */
const COST_USD = 'gen_ai.usage.cost'

const ERROR_TYPE = 'error.type'
const SERVICE = { name: 'service.name', version: 'service.version' } as const

const CATENARY = {
  runId: 'catenary.run.id',
  runKind: 'catenary.run.kind',
  runTrigger: 'catenary.run.trigger',
  runStatus: 'catenary.run.status',
  runSteps: 'catenary.run.steps',
  chainId: 'catenary.chain.id',
  chainVersion: 'catenary.chain.version',
  promptId: 'catenary.prompt.id',
  promptVersion: 'catenary.prompt.version',
  stepPosition: 'catenary.step.position',
  itemIndex: 'catenary.item.index',
  stepRetries: 'catenary.step.retries',
  stepLimitWaitMs: 'catenary.step.limit_wait_ms',
  stepFirstTextMs: 'catenary.step.first_text_ms',
} as const

/** Of a call that answers a conversation. */
const CHAT = 'chat'

/** Vendors as the conventions name them; others go by our own name. */
const PROVIDERS: Record<string, string> = { google: 'gcp.gemini' }
const providerName = (provider: string): string => PROVIDERS[provider] ?? provider

const TRACE_DIGITS = 32
const SPAN_DIGITS = 16
/** Of the hash that the ids are cut from: another use of the key gives other hashes. */
const PURPOSE = 'traces of runs'

interface Sender {
  /** Ids follow from it and from the row alone: they differ between installations, and are the same each time. */
  secretKey: string
  version: string
}

/**
 * An ended run as one trace: a span for the run, with one below it for each step, and below that one for each item. It
 * holds no text that a person or a model wrote.
 */
export function toTraceRequest(run: EndedRun, { secretKey, version }: Sender): TraceRequest {
  const hash = (...of: (string | number)[]) =>
    createHmac('sha256', secretKey)
      .update([PURPOSE, run.id, ...of].join(' '))
      .digest('hex')
  const traceId = hash().slice(0, TRACE_DIGITS)
  const spanId = hash('end', run.attempt).slice(0, SPAN_DIGITS)
  const idOf = (step: EndedStep) =>
    hash('step', step.position, step.startedAt?.getTime() ?? '').slice(0, SPAN_DIGITS)
  const ofStep = (step: EndedStep): Span[] => [
    { traceId, spanId: idOf(step), parentSpanId: spanId, ...toStepSpan(run, step) },
    ...run.items
      .filter(({ position }) => position === step.position)
      .map((item) => ({
        traceId,
        spanId: hash('item', item.position, item.index, item.startedAt?.getTime() ?? '').slice(
          0,
          SPAN_DIGITS,
        ),
        parentSpanId: idOf(step),
        ...toStepSpan(run, { ...step, ...item, isLoop: false }),
      })),
  ]
  const spans = [{ traceId, spanId, ...toRunSpan(run) }, ...run.steps.flatMap(ofStep)]
  const resource = toAttributes({ [SERVICE.name]: 'catenary', [SERVICE.version]: version })
  const scope = { name: 'catenary', version }
  return { resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ scope, spans }] }] }
}

type SpanBody = Omit<Span, 'traceId' | 'spanId' | 'parentSpanId'>

function toRunSpan(run: EndedRun): SpanBody {
  // The trace of a resumed run begins there.
  const [first] = run.steps
  const start = first !== undefined && first.position > 0 ? startOf(run, first) : run.executedAt
  return {
    name: run.kind === 'chain' ? 'run of a chain' : 'run of a prompt',
    kind: SPAN_KIND.internal,
    ...timesOf(start, run.finishedAt ?? start),
    attributes: toAttributes({
      [CATENARY.runId]: run.id,
      [CATENARY.runKind]: run.kind,
      [CATENARY.runTrigger]: run.trigger,
      [CATENARY.runStatus]: run.status,
      [CATENARY.runSteps]: run.stepCount,
      [CATENARY.chainId]: run.chainId,
      [CATENARY.chainVersion]: run.chainVersion,
      [CATENARY.promptId]: run.promptId,
      [ERROR_TYPE]: run.errorCode,
    }),
    status: statusOf(run),
  }
}

function toStepSpan(run: EndedRun, step: EndedStep & { index?: number }): SpanBody {
  const start = startOf(run, step)
  const end =
    step.durationMs === null
      ? (step.finishedAt ?? run.finishedAt ?? start)
      : new Date(start.getTime() + step.durationMs)
  const times = timesOf(start, end)
  // Skipped, or the end of its run; of one that failed and was left out, the call is told.
  if (step.model === '' || step.isLoop || (step.isSkipped && step.errorCode === null))
    return {
      name: step.isLoop ? 'step for each item' : 'step without a call',
      kind: SPAN_KIND.internal,
      ...times,
      attributes: toAttributes({
        [CATENARY.stepPosition]: step.position,
        [CATENARY.itemIndex]: step.index ?? null,
        [ERROR_TYPE]: step.errorCode,
      }),
      status: statusOf(step),
    }
  return {
    name: `${CHAT} ${step.model}`,
    kind: SPAN_KIND.client,
    ...times,
    attributes: toAttributes({
      [GEN_AI.operation]: CHAT,
      [GEN_AI.provider]: step.provider === null ? null : providerName(step.provider),
      [GEN_AI.requestModel]: step.model,
      [GEN_AI.requestTemperature]: toDouble(step.temperature),
      [GEN_AI.requestMaxTokens]: step.maxTokens,
      [GEN_AI.responseModel]: step.modelId,
      [GEN_AI.finishReasons]: step.finishReason === null ? null : [step.finishReason],
      [GEN_AI.inputTokens]: counted(step.inputTokens),
      [GEN_AI.outputTokens]: counted(step.outputTokens),
      [GEN_AI.cachedTokens]: counted(step.cachedTokens),
      [COST_USD]: toDouble(nanosToUsd(step.costNanos)),
      [CATENARY.stepPosition]: step.position,
      [CATENARY.itemIndex]: step.index ?? null,
      [CATENARY.stepRetries]: step.retries,
      [CATENARY.stepLimitWaitMs]: step.limitWaitMs,
      [CATENARY.stepFirstTextMs]: step.firstTokenMs,
      [CATENARY.promptId]: step.promptId,
      [CATENARY.promptVersion]: step.promptVersion,
      [ERROR_TYPE]: step.errorCode,
    }),
    status: statusOf(step),
  }
}

/** Langfuse reads a whole 0 as a text. */
const counted = (tokens: number | null) => (tokens === 0 ? null : tokens)

const startOf = (run: EndedRun, step: EndedStep): Date => step.startedAt ?? run.executedAt

/** The clocks of process and database differ: no span ends before it starts. */
function timesOf(start: Date, end: Date): Pick<Span, 'startTimeUnixNano' | 'endTimeUnixNano'> {
  return { startTimeUnixNano: toNanos(start), endTimeUnixNano: toNanos(end < start ? start : end) }
}

function statusOf({ status }: { status: EndedRun['status'] }): Span['status'] {
  return {
    code: { running: STATUS.unset, completed: STATUS.ok, failed: STATUS.error, cancelled: STATUS.unset }[
      status
    ],
  }
}
