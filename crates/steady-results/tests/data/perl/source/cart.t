use strict; use warnings; use utf8; use Test::More tests => 8;
binmode(Test::More->builder->$_, ':utf8') for qw(output failure_output todo_output);
ok 1, 'adds up';
is 10 - 1, 8, 'takes ten per cent';
SKIP: { skip 'not on this machine', 1; ok 0, 'never'; }
TODO: { local $TODO = 'not yet'; ok 0, 'is to be written'; }
ok 1, "holds $_" for ('ünï 🛒', 'a # b');
subtest 'has parts' => sub { plan tests => 2; ok 1, 'first'; ok 0, 'second'; };
BAIL_OUT('no database');
