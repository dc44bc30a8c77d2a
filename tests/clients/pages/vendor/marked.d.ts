/** What the pages use of marked's lexer: the tokens of a text. */
export interface Token {
  type: string;
  raw: string;
  text: string;
  tokens?: Token[];
  items: Token[];
  header: Token[];
  rows: Token[][];
  href: string;
  ordered: boolean;
  start: number | "";
  task: boolean;
  checked: boolean;
}
export class Lexer {
  constructor(options: { gfm: boolean });
  lex(text: string): Token[];
}
