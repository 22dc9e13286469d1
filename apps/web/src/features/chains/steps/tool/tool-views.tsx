import type { ChainStep, StepTool, ToolType } from '@catenary/contracts'
import type { ReactNode } from 'react'
import { HttpBadges, HttpLine, HttpView } from './http/http-views.tsx'
import { MailLine, MailView } from './mail/mail-views.tsx'

/** How a type of tool is shown. As methods, which a table takes for a union of types. */
interface ToolTypeViews<Tool> {
  Badges?(props: { tool: Tool }): ReactNode
  /** Where it goes, on the card. */
  Line(props: { tool: Tool }): ReactNode
  /** All of it, for who may not change it. */
  View(props: { tool: Tool }): ReactNode
}

const VIEWS: Readonly<Record<ToolType, ToolTypeViews<StepTool>>> = {
  http: { Badges: HttpBadges, Line: HttpLine, View: HttpView },
  mail: { Line: MailLine, View: MailView },
}

interface ToolProps {
  step: Pick<ChainStep, 'tool'>
}

const shownBy = (part: keyof ToolTypeViews<StepTool>) =>
  function ToolPart({ step: { tool } }: ToolProps) {
    if (!tool) return null
    const Part = VIEWS[tool.type][part]
    return Part ? <Part tool={tool} /> : null
  }

export const ToolBadges = shownBy('Badges')
export const ToolLine = shownBy('Line')
export const ToolView = shownBy('View')
