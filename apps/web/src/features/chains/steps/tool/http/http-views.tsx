import type { HttpTool, ToolPart } from '@catenary/contracts'
import { GlobeIcon, RefreshCwIcon } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { TemplateText, TemplateTokens } from '../../../../../components/template-text.tsx'
import { Badge } from '../../../../../components/ui/badge.tsx'

interface HttpProps {
  tool: HttpTool
}

/** Whether an earlier output is JSON is not known here: a field of it looks like one. */
const SYNTAX = { outputs: true, jsonOutputs: { has: () => true } }

export function HttpBadges({ tool: { safeToRepeat } }: HttpProps) {
  if (!safeToRepeat) return null
  return (
    <Badge>
      <RefreshCwIcon />
      Safe to repeat
    </Badge>
  )
}

/** What a step calls, as it is written but for the scheme that every address has. */
export function HttpLine({ tool: { method, url } }: HttpProps) {
  return (
    <div className="flex items-start gap-2">
      <Badge className="shrink-0">
        <GlobeIcon />
        HTTP
      </Badge>
      <p dir="ltr" className="line-clamp-3 min-w-0 font-mono text-xs leading-[22px] wrap-anywhere">
        <span className="text-text-2">{method}</span>{' '}
        <TemplateTokens text={url.replace(/^https:\/\//i, '')} syntax={SYNTAX} />
      </p>
    </div>
  )
}

/** All of a call, for who may not change it. */
export function HttpView({ tool }: HttpProps) {
  const { query, headers, body, answer } = tool
  return (
    <>
      <HttpLine tool={tool} />
      <Parts title="Query" parts={query} />
      <Parts title="Headers" parts={headers} />
      {body.type !== 'none' && (
        <Section title="Body">
          <TemplateText text={body.content} outputs jsonOutputs={SYNTAX.jsonOutputs} />
        </Section>
      )}
      <Section title="What comes back">
        <p className="text-sm">{answer.as === 'text' ? 'Text' : answer.schema ? 'JSON by schema' : 'JSON'}</p>
        {answer.schema && <TemplateText text={JSON.stringify(answer.schema, null, 2)} />}
      </Section>
    </>
  )
}

function Parts({ title, parts }: { title: string; parts: readonly ToolPart[] }) {
  if (parts.length === 0) return null
  const text = parts.map(({ name, value }) => `${name}: ${value}`).join('\n')
  return (
    <Section title={title}>
      <TemplateText text={text} outputs jsonOutputs={SYNTAX.jsonOutputs} />
    </Section>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)] gap-1.5 border-t border-line pt-3"
    >
      <h3 id={id} className="text-xs font-medium tracking-normal text-text-2">
        {title}
      </h3>
      {children}
    </section>
  )
}
