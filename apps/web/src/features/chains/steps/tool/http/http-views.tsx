import { type HttpTool, isSealed, type ToolPart } from '@catenary/contracts'
import { SEALED_MARK } from '@catenary/domain'
import { GlobeIcon, RefreshCwIcon } from 'lucide-react'
import { TemplateText, TemplateTokens } from '../../../../../components/template-text.tsx'
import { Badge } from '../../../../../components/ui/badge.tsx'
import { ANY_OUTPUT } from '../any-output.ts'
import { ViewSection } from '../view-section.tsx'

interface HttpProps {
  tool: HttpTool
}

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
  const address = isSealed(url) ? `${url.origin}/${SEALED_MARK}` : url
  return (
    <div className="flex items-start gap-2">
      <Badge className="shrink-0">
        <GlobeIcon />
        HTTP
      </Badge>
      <p dir="ltr" className="line-clamp-3 min-w-0 font-mono text-xs leading-[22px] wrap-anywhere">
        <span className="text-text-2">{method}</span>{' '}
        <TemplateTokens text={address.replace(/^https:\/\//i, '')} syntax={ANY_OUTPUT} />
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
        <ViewSection title="Body">
          <TemplateText text={body.content} outputs jsonOutputs={ANY_OUTPUT.jsonOutputs} />
        </ViewSection>
      )}
      <ViewSection title="What comes back">
        <p className="text-sm">{answer.as === 'text' ? 'Text' : answer.schema ? 'JSON by schema' : 'JSON'}</p>
        {answer.schema && <TemplateText text={JSON.stringify(answer.schema, null, 2)} />}
      </ViewSection>
    </>
  )
}

function Parts({ title, parts }: { title: string; parts: readonly ToolPart[] }) {
  if (parts.length === 0) return null
  const text = parts.map((part) => `${part.name}: ${isSealed(part) ? SEALED_MARK : part.value}`).join('\n')
  return (
    <ViewSection title={title}>
      <TemplateText text={text} outputs jsonOutputs={ANY_OUTPUT.jsonOutputs} />
    </ViewSection>
  )
}
