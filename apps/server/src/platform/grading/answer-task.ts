import { type AnswerCheck, type AnswerTask, checkAnswer } from '@catenary/domain/answer-check'

export default function work(task: AnswerTask): AnswerCheck {
  return checkAnswer(task)
}
