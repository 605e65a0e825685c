module.exports = { testDir: '.', reporter: 'line', outputDir: 'results' };
