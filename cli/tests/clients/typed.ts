// Uses fields of responses through types generated from the OpenAPI description. The file is compiled, but not run.

import type { components, operations } from "./openapi";

type Answer<Name extends keyof operations> = operations[Name] extends {
    responses: { 200: { content: { "application/json": infer Body } } };
}
    ? Body
    : never;
type Problem = components["schemas"]["Error"];

export function explored(answer: Answer<"explore">): [string, number, number | undefined] {
    const [first] = answer.moves;
    // @ts-expect-error: there is no such field
    answer.nothing;
    return [first.move, first.games, answer.attackers_share?.low];
}

export function found(answer: Answer<"search">): [string, string | undefined, number] {
    const [hit] = answer.hits;
    // @ts-expect-error: a number is not a string
    const text: string = answer.summary.hits;
    return [hit.game, hit.at?.position, answer.summary.hits];
}

export function whole(answer: Answer<"game">): [string, string, string[], number | null | undefined] {
    const [ply] = answer.plies;
    // @ts-expect-error: a ply is not a string
    const text: string = ply;
    return [answer.game.result, ply.move, ply.captured, answer.evals?.plies[0].loss];
}

export function analyzed(answer: Answer<"analysis">): [number, string[], number | null | undefined] {
    const [line] = answer.lines;
    // @ts-expect-error: there is no such field
    line.nothing;
    return [line.expected, line.moves, line.score];
}

export function validated(answer: Answer<"validate">): [number, string, number, string | null | undefined] {
    const [finding] = answer.findings;
    // @ts-expect-error: a code is not a number
    const code: number = finding.code;
    return [answer.records, finding.code, finding.caret.start, answer.games[0].attackers];
}

export function problem(answer: Problem): [string, string | null | undefined] {
    return [answer.error.code, answer.error.parameter];
}
