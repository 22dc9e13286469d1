export type { HttpCall } from './acts/http/render-http.ts'
export {
  type CallingStep,
  findSealedFault,
  isSameCall,
  SEALED_MARK,
  type SealedPlace,
  type SentSecret,
  sealedPartsOf,
  splitSealed,
  strikeSealed,
} from './acts/http/sealed-parts.ts'
export type { MailCall } from './acts/mail/mail.ts'
export {
  destinationOfTool,
  fillCall,
  findToolFault,
  goesByValue,
  renderCall,
  type ToolCall,
} from './acts/tool-types.ts'
export { ToolValueError } from './acts/type-of-tool.ts'
export {
  checkSchema,
  describeUnknownPath,
  FIELD_NESTING_MAX,
  FIELD_TYPES,
  type FieldType,
  fieldsOfSchema,
  findConflict,
  findFieldProblems,
  forVendor,
  type JsonSchema,
  type SchemaField,
  type SchemaNote,
  schemaOfFields,
  type Vendor,
} from './answer-schema/index.ts'
export { type ApiExample, apiExamples } from './api-examples.ts'
export { askOutput } from './asks/ask-output.ts'
export { describeAssertion } from './assertions/describe-assertion.ts'
export { JUDGE_PROMPTS } from './assertions/judge-prompts.ts'
export { suggestAssertions } from './assertions/suggest-assertions.ts'
export { attachmentMark } from './attachments.ts'
export {
  type ChainWarning,
  type CheckedStep,
  checkChain,
  isHint,
  outputsRead,
  outputsTaken,
  type TakenOutput,
  takesInput,
  variablesTaken,
} from './chain-checks.ts'
export { clip, isClipOf } from './clip.ts'
export {
  asksEachItem,
  flowTemplate,
  headOf,
  namesInCondition,
  outputsBefore,
  referenceOf,
  renameInFlow,
} from './conditions/condition-names.ts'
export { comparisonWords, conditionText, describeCondition } from './conditions/describe-condition.ts'
export { ConditionUnreadableError, evaluateCondition, oppositeOf } from './conditions/evaluate-condition.ts'
export {
  CONNECT_CLIENTS,
  type ConnectClientName,
  type ConnectSubject,
  type ConnectWay,
  connectExamples,
  waysOf,
} from './connect-examples.ts'
export { costNanos, formatUsd, type ModelPrice, nanosToUsd, savedNanos, usdToNanos } from './costs.ts'
export { cutText, shortenText } from './cut-text.ts'
export { estimateTokens, formatTextSize, isCacheable } from './estimate-tokens.ts'
export {
  type CellChange,
  changeOf,
  hasEnded,
  summarizeTarget,
  type TargetSummary,
} from './evaluations.ts'
export { folderExamples } from './folder-examples.ts'
export { schemaOfItem, schemaOfOutput } from './items/item-schema.ts'
export { joinAnswers } from './items/join-answers.ts'
export { readItems } from './items/read-items.ts'
export { formatJson } from './json/format-json.ts'
export { isJson } from './json/json-tokens.ts'
export { mcpExamples } from './mcp-examples.ts'
export { namesFromOutside } from './names-from-outside.ts'
export { outputNameFor } from './output-name.ts'
export { buildPrompt } from './prompt-builder.ts'
export { promptExamples } from './prompt-examples.ts'
export { type ProviderAddress, readProviderAddress } from './provider-address.ts'
export { lexicalConfidence, rankChains } from './rank-chains.ts'
export { stepTitle } from './step-title.ts'
export { sumAll, sumKnown, sumOfSteps } from './sums.ts'
export { type TagColor, tagColor } from './tag-color.ts'
export { describeCacheGain } from './template/describe-cache-gain.ts'
export { renameVariable, replaceVariable } from './template/rename-variable.ts'
export {
  type JsonOutputs,
  MissingFieldError,
  type RenderedSegment,
  readerOf,
  renderTemplate,
  TemplateTooLongError,
} from './template/render.ts'
export { extractVariables, type TemplateSyntax, tokenizeTemplate } from './template/tokenize.ts'
export { findVariable, variablePlaceholder } from './variables.ts'
