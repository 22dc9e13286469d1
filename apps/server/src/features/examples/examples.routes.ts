import { examplesState, madeExamples, removedExamples } from '@catenary/contracts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { optionalUser, requireUser } from '../../platform/http/session.ts'
import type { ExamplesService } from './examples.service.ts'

const PATH = '/api/examples'
const tags = ['examples']

export function examplesRoutes({ examples }: { examples: ExamplesService }): Routes {
  return (app) => {
    app.get(
      PATH,
      {
        schema: {
          tags,
          summary: 'What examples there are to begin with, and what of them the caller has',
          response: { 200: examplesState },
        },
      },
      async (request) => examples.find(await optionalUser(request)),
    )

    app.post(
      PATH,
      {
        schema: {
          tags,
          summary: 'Make the examples',
          description:
            'Prompts, variables, chains and a test suite of the caller’s own, private: all at once or none. ' +
            'While there are some of them, nothing is made. A variable whose name is taken is left as it is.',
          response: { 200: madeExamples, ...errorReplies(401, 403) },
        },
      },
      async (request) => examples.make(await requireUser(request)),
    )

    app.delete(
      PATH,
      {
        schema: {
          tags,
          summary: 'Remove the examples',
          description:
            'Only those that are as they were made, and that nothing else needs: others stay, and are no examples any more. ' +
            'Runs of prompts stay as when a prompt is deleted, those of chains go.',
          response: { 200: removedExamples, ...errorReplies(401) },
        },
      },
      async (request) => examples.remove(await requireUser(request)),
    )
  }
}
