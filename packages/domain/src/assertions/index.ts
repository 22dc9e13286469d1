export { applyBest, type GradedCase, type GradingTools, gradeAnswer, JudgeError } from './grade-answer.ts'
export { type GradedAssertion, gradeAssertion, type Outcome } from './graders.ts'
export { readBest } from './judge-reply.ts'
export { bestRequest, type JudgeRequest } from './judge-request.ts'
