export { costNanos, formatUsd, type ModelPrice } from './costs.ts'
export { estimateTokens, formatTextSize, type TextSize } from './estimate-tokens.ts'
export { buildPrompt, type PromptBuilderInput } from './prompt-builder.ts'
export { TAG_COLORS, type TagColor, tagColor } from './tag-color.ts'
export { findTemplateProblems, type TemplateProblem } from './template/find-problems.ts'
export {
  type RenderedSegment,
  type RenderedTemplate,
  renderTemplate,
  type TemplateValues,
} from './template/render.ts'
export {
  extractOutputs,
  extractVariables,
  type ReferenceKind,
  type ReferenceToken,
  type TemplateSyntax,
  type TemplateToken,
  type TextToken,
  tokenizeTemplate,
} from './template/tokenize.ts'
