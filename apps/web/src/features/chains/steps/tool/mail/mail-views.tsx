import type { MailTool } from '@catenary/contracts'
import { MailIcon } from 'lucide-react'
import { TemplateText, TemplateTokens } from '../../../../../components/template-text.tsx'
import { Badge } from '../../../../../components/ui/badge.tsx'
import { ANY_OUTPUT } from '../any-output.ts'
import { ViewSection } from '../view-section.tsx'

interface MailProps {
  tool: MailTool
}

/** Whom an email goes to, and its subject. */
export function MailLine({ tool: { to, subject } }: MailProps) {
  return (
    <div className="flex items-start gap-2">
      <Badge className="shrink-0">
        <MailIcon />
        Email
      </Badge>
      <div className="grid min-w-0 gap-0.5 text-sm leading-[22px]">
        <p className="line-clamp-2 wrap-anywhere">
          {to.length === 0 ? (
            <span className="text-warn">No address yet</span>
          ) : (
            <span dir="ltr" className="font-mono text-xs">
              <TemplateTokens text={to.join(', ')} syntax={ANY_OUTPUT} />
            </span>
          )}
        </p>
        <p dir="auto" className="line-clamp-2 wrap-anywhere">
          <TemplateTokens text={subject} syntax={ANY_OUTPUT} />
        </p>
      </div>
    </div>
  )
}

/** All of an email, for who may not change it. */
export function MailView({ tool }: MailProps) {
  return (
    <>
      <MailLine tool={tool} />
      <ViewSection title="Text">
        <TemplateText text={tool.text} outputs jsonOutputs={ANY_OUTPUT.jsonOutputs} />
      </ViewSection>
    </>
  )
}
